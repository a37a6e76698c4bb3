// Whether two user names are one: case makes no difference, and nothing else does. Names of accounts are ASCII, names that a proxy
// tells are not: the Kelvin sign (U+212A) in lower case is a k, and who has it in the name is another user.

export function isSameUser(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

function folded(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
