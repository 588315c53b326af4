import type { JSX } from 'preact';
import type { ReportSection } from '../../src/core/model/report';
import type { Status } from '../../src/core/model/status';
import { Icon, type IconName } from '../ui/icon';
import { WORDS } from '../words';

const STATUS_ICONS: Readonly<Record<Status, IconName>> = { OK: 'check', WARN: 'warning', ALERT: 'error' };

function badgeOf(section: ReportSection): { readonly kind: string; readonly icon: IconName; readonly word: string } {
  if (section.isNotRun) return { kind: '', icon: 'circle-slash', word: WORDS.row.notRun };
  if (section.isPending) return { kind: '', icon: 'sync', word: WORDS.row.counting };
  return { kind: section.status, icon: STATUS_ICONS[section.status], word: section.status };
}

/** A section's status as icon and word. */
export function Badge({ section }: { readonly section: ReportSection }): JSX.Element {
  const { kind, icon, word } = badgeOf(section);
  return (
    <span class={`badge ${kind}`}>
      <Icon name={icon} />
      {word}
      <span class="sr">,</span>
    </span>
  );
}
