import type { Clock, Disposable } from '../core/ports/ports';
import { formatCount } from '../core/text/numbers';
import type { Session } from '../core/workspace/workspace';
import type { CliOutput } from './io';

/** What ends sooner needs no progress. */
const QUIET_MS = 1_000;
/** Often enough to look alive. */
const REFRESH_MS = 100;
/** Carriage return, and the rest of the line erased (ECMA-48 EL). */
const CLEAR_LINE = '\r\u001b[K';

/**
 * Shows a session's progress as one line that rewrites itself, from a second after the start until it is disposed.
 * Writes nothing where nobody watches.
 */
export function showProgress(session: Session, output: CliOutput, clock: Clock): Disposable {
  if (!output.isTerminal) return { dispose: () => undefined };
  let shown = '';
  let timer = clock.schedule(tick, QUIET_MS);
  function tick(): void {
    const line = describe(session);
    if (line !== shown) output.write(`${CLEAR_LINE}${line} …`);
    shown = line;
    timer = clock.schedule(tick, REFRESH_MS);
  }
  return {
    dispose: () => {
      timer.dispose();
      if (shown !== '') output.write(CLEAR_LINE);
      shown = '';
    },
  };
}

function describe({ snapshot: { index, progress } }: Session): string {
  const { phase, done, total } = index;
  if (phase === 'scanning' || phase === 'parsing')
    return `${phase === 'scanning' ? 'Scanning' : 'Indexing'}: ${formatCount(done)} of ${formatCount(total)} files`;
  return progress ? `Reading: ${formatCount(progress.done)} of ${formatCount(progress.total)} sections` : 'Working';
}
