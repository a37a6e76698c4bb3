// Password managers keep a password under the user name that stands in the same form.
export function UsernameForManagers(props: { readonly username: string }) {
  return (
    <input
      class="visually-hidden"
      type="text"
      autocomplete="username"
      tabindex={-1}
      aria-hidden="true"
      readOnly
      value={props.username}
    />
  );
}
