import { globMatcher } from '../files/glob';
import { type Phrase, phrase } from '../text/phrase';
import type { Condition } from './agentRules';
import { type Frontmatter, splitList } from './frontmatter';

/** What a file's frontmatter makes of it. */
export interface Verdict {
  readonly fate: 'loaded' | 'onDemand' | 'never';
  readonly why: Phrase | undefined;
}

/** More or longer globs than these mean nothing a person wrote. */
const MAX_GLOBS = 100;
const MAX_GLOB_CHARS = 300;

const ASKED: Verdict = { fate: 'onDemand', why: phrase('Only when the agent or somebody asks for it') };

/**
 * Applies a condition to a file's frontmatter, for the file that is worked on.
 * @param activePath workspace-relative; without one only globs that match everything do
 */
export function judge(frontmatter: Frontmatter, condition: Condition, activePath: string | undefined): Verdict {
  const says = ({ key, value }: { readonly key: string; readonly value: string }): boolean =>
    frontmatter.get(key)?.includes(value) === true;
  if (condition.never && says(condition.never)) return { fate: 'never', why: undefined };
  if (condition.always && says(condition.always)) return { fate: 'loaded', why: undefined };
  if (condition.asked?.some(says)) return ASKED;
  const globs = (frontmatter.get(condition.globs) ?? []).flatMap(splitList).slice(0, MAX_GLOBS);
  if (globs.length > 0) return judgeGlobs(globs, condition, activePath);
  if (condition.askedWithoutGlobs && says(condition.askedWithoutGlobs)) return ASKED;
  return condition.withoutGlobs === 'loaded' ? { fate: 'loaded', why: undefined } : ASKED;
}

function judgeGlobs(globs: readonly string[], condition: Condition, activePath: string | undefined): Verdict {
  if (globs.some((glob) => glob === '**' || glob === '**/*' || (glob === '*' && condition.isAtAnyDepth)))
    return { fate: 'loaded', why: undefined };
  const shown = globs.join(', ');
  const words = shown.length > 80 ? `${shown.slice(0, 79)}…` : shown;
  if (activePath === undefined || !globs.some((glob) => matches(activePath, glob, condition)))
    return { fate: 'onDemand', why: phrase('Only for files that match {0}', words) };
  return { fate: 'loaded', why: phrase('The open file matches {0}', words) };
}

function matches(path: string, glob: string, { isAtAnyDepth, ignoresCase }: Condition): boolean {
  if (glob.length > MAX_GLOB_CHARS) return false;
  const bare = glob.replace(/^\.?\//, '');
  const isRooted = glob.startsWith('/') || !isAtAnyDepth;
  const pattern = isRooted || bare.startsWith('**/') ? bare : `**/${bare}`;
  // A folder's name stands for what is in it.
  return globMatcher(pattern.endsWith('/') ? `${pattern}**` : pattern, { ignoresCase: ignoresCase === true })(path);
}
