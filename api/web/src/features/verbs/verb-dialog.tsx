// The windows by what is done in them.
import { Dynamic } from 'solid-js/web';
import type { Component } from 'solid-js';
import { closeVerb, type Verb, type VerbName } from '../../state/verb.js';
import { AddPeers } from './add-peers.jsx';
import { Create } from './create.jsx';
import { TorrentLimits } from './torrent-limits.jsx';
import { Links } from './links.jsx';
import { Move } from './move.jsx';
import { NewCategory, NewTag } from './new-label.jsx';
import { Rename } from './rename.jsx';
import { ReplaceTrackers } from './replace-trackers.jsx';
import { Seeding } from './seeding.jsx';
import { Share } from './share.jsx';
import { ToServer } from './to-server.jsx';
import { EditTrackers } from './edit-trackers.jsx';

export interface VerbProps {
  readonly verb: Verb;
  readonly onClose: () => void;
}

const WINDOWS: Readonly<Record<VerbName, Component<VerbProps>>> = {
  move: Move,
  toServer: ToServer,
  rename: Rename,
  limits: TorrentLimits,
  seeding: Seeding,
  trackers: EditTrackers,
  replaceTrackers: ReplaceTrackers,
  addPeers: AddPeers,
  share: Share,
  links: Links,
  create: Create,
  newCategory: NewCategory,
  newTag: NewTag,
};

export function VerbDialog(props: { readonly verb: Verb }) {
  return <Dynamic component={WINDOWS[props.verb.name]} verb={props.verb} onClose={closeVerb} />;
}
