import type { SectionDefinition, SectionSource } from '../model/section';
import { inEnglish, type Phrase, phrase } from '../text/phrase';
import { isConfigurablePath } from './configRules';
import { DEFAULT_PROFILE } from './profile';

function sourceKey(source: SectionSource): readonly [key: string, value: unknown] {
  switch (source.kind) {
    case 'file':
      return ['file', source.path];
    case 'files':
      return ['files', source.pattern];
    case 'command':
      return ['command', source.argv];
    case 'builtin':
      return ['builtin', source.builtin];
  }
}

function isWritable({ source }: SectionDefinition): boolean {
  // Rules that were found are found again.
  if (source.kind === 'files' && source.paths) return false;
  if (source.kind === 'file') return isConfigurablePath(source.path);
  return source.kind !== 'files' || isConfigurablePath(source.pattern);
}

function toJson(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(toJson).join(', ')}]` : JSON.stringify(value);
}

function sectionLine(definition: SectionDefinition): string {
  const { id, source, priority, role, keepRecent, onDemand, keywords } = definition;
  const pairs: (readonly [string, unknown])[] = [['id', id], sourceKey(source)];
  if (source.kind === 'command') pairs.push(['timeout_ms', source.timeoutMs]);
  // What depends on sizes stays so.
  if (!role) pairs.push(['priority', priority]);
  if (keepRecent !== undefined) pairs.push(['keep_recent', keepRecent]);
  if (onDemand) pairs.push(['on_demand', true]);
  if (keywords.length > 0) pairs.push(['keywords', keywords]);
  const body = pairs.map(([key, value]) => `${toJson(key)}: ${toJson(value)}`);
  return `    { ${body.join(', ')} }`;
}

/** What a config file begins with: two comments. `say` puts phrases into the reader's language, each on one line. */
export function configHead(say: (words: Phrase) => string): string {
  return `// ${say(phrase("Context Budget: what an agent's context in this folder may cost, and what goes into it."))}
// ${say(phrase('Everything here is optional; missing values keep their defaults.'))}
`;
}

/**
 * A commented config file that says what is in force already. Sections whose path a config cannot name (a `\` in a file
 * name) are left to discovery. `say` puts the comments into the reader's language, each on one line.
 */
export function starterConfig(
  definitions: readonly SectionDefinition[],
  say: (words: Phrase) => string = inEnglish,
): string {
  const profile = DEFAULT_PROFILE;
  const sections = definitions.filter(isWritable).map((definition) => `${sectionLine(definition)},\n`);
  return `${configHead(say)}{
  "version": 1,
  "default_profile": ${JSON.stringify(profile.name)},
  "profiles": {
    ${JSON.stringify(profile.name)}: {
      // ${say(phrase('Limits of a payload; both apply at once.'))}
      "budget_tokens": ${profile.budgetTokens},
      "hard_cap_chars": ${profile.hardCapChars},
      // ${say(phrase('Token limits of index, timeline, detail and map.'))}
      "map_tokens": ${profile.mapTokens},
      "detail_tokens": ${profile.detailTokens},
    },
    // ${say(phrase('For one agent: files that it loads itself are left out of its payload and shown in the meter.'))}
    // "claude": { "agent": "claude-code", "budget_tokens": 6000 },
  },
  // ${say(phrase('P0 and P1 are shown in full; P2 gets the rest of the budget first, P4 last.'))}
  "sections": [
${sections.join('')}    // ${say(phrase('A perception plug-in: runs in trusted folders only and may print SUMMARY:OK:<one sentence>.'))}
    // { "id": "ports", "command": ["bash", "plugins/port-check.sh"], "timeout_ms": 5000, "priority": "P2" },
    // ${say(phrase('Many files as one section, with the newest five entries of each dated list:'))}
    // { "id": "topic-memory", "files": "memory/topics/*.md", "priority": "P4", "keep_recent": 5 },
  ],
  // ${say(phrase('off, baseline (tracks usage), static (rules), dynamic (sections below the threshold show one line):'))}
  // "scoring": { "mode": "dynamic", "threshold": 0.3 },
  // ${say(phrase('What the repo map leaves out:'))}
  // "repo_map": { "exclude": ["legacy/**"] },
}
`;
}
