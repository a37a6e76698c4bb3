// What came of a torrent or a setting of another program, as the report has it, and how that is told: in English, and as remarks.
import type { ImportedSettingDto, ImportedTorrentDto } from '../../../shared-protocol/dto/imports.js';
import { textOf, type Remark } from '../../../shared-protocol/import-remarks/remark.js';

export interface ImportedTorrent extends Omit<ImportedTorrentDto, 'reason' | 'notes' | 'remarks'> {
  readonly reason: Remark | null;
  readonly notes: readonly Remark[];
}

export interface ImportedSetting extends Pick<ImportedSettingDto, 'result'> {
  readonly name: Remark;
  readonly from: Remark | null;
  readonly to: Remark | null;
  readonly reason: Remark | null;
}

export function torrentDto({ reason, notes, ...torrent }: ImportedTorrent): ImportedTorrentDto {
  const remarks = { reason, notes: [...notes] };
  return { ...torrent, reason: reason && textOf(reason), notes: notes.map(textOf), remarks };
}

export function settingDto({ result, name, from, to, reason }: ImportedSetting): ImportedSettingDto {
  return {
    ...{
      name: textOf(name),
      from: from && textOf(from),
      to: to && textOf(to),
      result,
      reason: reason && textOf(reason),
    },
    remarks: { name, from, to, reason },
  };
}
