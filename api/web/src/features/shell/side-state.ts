// Whether the side bar is shown whole or as a strip of icons: as the account wants it, for windows with room and for those
// with little, where at first it is a strip.
import type { Accessor } from 'solid-js';
import { createAccountPreference } from '../../state/account-preferences.js';
import { isBoolean } from '../../state/preferences.js';
import { isTight } from './phone.js';

export interface SideState {
  readonly isWhole: Accessor<boolean>;
  readonly toggle: () => void;
}

export function createSideState(): SideState {
  const [inRoom, setInRoom] = createAccountPreference('side.whole', true, isBoolean);
  const [inTight, setInTight] = createAccountPreference('side.whole-in-tight', false, isBoolean);
  const isWhole = () => (isTight() ? inTight() : inRoom());
  return { isWhole, toggle: () => (isTight() ? setInTight : setInRoom)(!isWhole()) };
}
