/** Words of the core in the interface's language, put into what the panel is sent. English stays as the core says it. */

import type { Problem } from '../../core/model/problem';
import type { ReportSection } from '../../core/model/report';
import type { Phrase } from '../../core/text/phrase';
import type { PanelPayload } from '../../protocol/panel';

/** Says a phrase in the interface's language. */
export type Say = (words: Phrase) => string;

function localizedSection(section: ReportSection, say: Say): ReportSection {
  const { reason, explanation } = section.words;
  return { ...section, reason: say(reason), explanation: say(explanation) };
}

/** The payload's sections with reason and explanation in the interface's language; text and notes are the agent's. */
export function localizedPayload(payload: PanelPayload, say: Say): PanelPayload {
  return { ...payload, sections: payload.sections.map((section) => localizedSection(section, say)) };
}

/** Problems in the interface's language. */
export function localizedProblems(problems: readonly Problem[], say: Say): readonly Problem[] {
  return problems.map((problem) => ({ ...problem, message: say(problem.words) }));
}
