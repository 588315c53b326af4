import type { JSX } from 'preact';
import type { SessionPage, SessionPageFinding } from '../../../src/core/window/sessions/sessionPage';
import type { FindingAction, SessionToHost } from '../../../src/protocol/sessionPanel';
import { Part } from '../../document/part';
import { say } from '../../language';
import { ACTION_WORDS, WORDS } from '../words';

/** More are shown on request. */
const SHOWN = 8;

interface FindingProps {
  readonly page: SessionPage;
  readonly actions: readonly (FindingAction | undefined)[];
  readonly showsAll: boolean;
  readonly showAll: () => void;
  readonly move: (step: number) => void;
  readonly post: (message: SessionToHost) => void;
}

/** What cannot be changed here can at least be looked at; what holds for all steps has none. */
function hasStep({ rule }: SessionPageFinding, { steps }: SessionPage): boolean {
  return rule !== 'unused-server' && steps.length > 1;
}

function Action({
  finding,
  at,
  props,
}: {
  readonly finding: SessionPageFinding;
  readonly at: number;
  readonly props: FindingProps;
}): JSX.Element | null {
  const { page, actions, move, post } = props;
  const action = actions[at];
  if (!action && !hasStep(finding, page)) return null;
  const { label, title } = action
    ? ACTION_WORDS[action]
    : { label: WORDS.findings.show(page.unit), title: WORDS.findings.showTitle };
  return (
    <button
      type="button"
      class="link"
      data-key={`act ${at}`}
      title={title}
      aria-label={WORDS.findings.about(label, say(finding.sentence))}
      onClick={() => (action ? post({ type: 'act', finding: at, action }) : move(finding.step))}
    >
      {label}
    </button>
  );
}

/** What to change, the largest first: sentence, evidence, tokens, one action. */
export function FindingPart(props: FindingProps): JSX.Element {
  const { page, showsAll, showAll } = props;
  const { list } = page;
  const shown = showsAll ? list : list.slice(0, SHOWN);
  const more = list.length - shown.length;
  return (
    <Part id="findings" title={WORDS.parts.findings}>
      {list.length === 0 ? <p class="muted">{WORDS.findings.none}</p> : null}
      <ul class="findings">
        {shown.map((finding, at) => (
          <li key={at}>
            <p>
              {say(finding.sentence)}
              <span class="evidence">{say(finding.evidence)}</span>
            </p>
            <span class="tokens" title={WORDS.findings.tokensTitle}>
              {WORDS.findings.tokens(finding.tokens)}
            </span>
            <span class="act">
              <Action finding={finding} at={at} props={props} />
            </span>
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <button type="button" class="link" data-key="more" onClick={showAll}>
          {WORDS.findings.more(more)}
        </button>
      ) : null}
    </Part>
  );
}
