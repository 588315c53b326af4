/** Words of a session's texts as they may be shown: without secrets, and short. */
import { type Masking, NotScanned } from '../../secrets/masking';
import { ellipsize } from '../../text/sentence';
import type { Finding } from './sessionData';
import type { SessionRow } from './sessionPage';
import type { AgentSession } from './sessions';

const SHOWN_CHARS = 160;

/** Cut only once it is masked: half a secret would not be known as one. */
function shortened(text: string): string {
  return ellipsize(text, SHOWN_CHARS);
}

/** Findings that quote no secrets. @throws NotScanned */
export async function maskedFindings(session: AgentSession, masking: Masking): Promise<AgentSession> {
  const masks = await masking.masksFor(session.findings.map(({ what }) => what));
  const findings = session.findings.map(({ about, ...finding }): Finding => {
    const masked = masks(finding.what);
    if (!masked) throw new NotScanned();
    // What was masked in the sentence is not shown by its parts.
    const isClean = masked.text === finding.what;
    return { ...finding, what: shortened(masked.text), ...(about && isClean ? { about } : {}) };
  });
  return { ...session, findings };
}

/** Rows whose titles hold no secrets; a title that could not be scanned is none. */
export async function maskedTitles<Row extends Pick<SessionRow, 'title'>>(
  rows: readonly Row[],
  masking: Masking,
): Promise<readonly Row[]> {
  const masks = await masking.masksFor(rows.flatMap(({ title }) => title ?? []));
  return rows.map((row) => {
    const masked = row.title === undefined ? undefined : masks(row.title)?.text;
    return { ...row, title: masked && shortened(masked) };
  });
}
