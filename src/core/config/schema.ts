/**
 * The shape of `.context-budget/config.json` (DESIGN §5.1), once: `config.ts` validates with it, `jsonSchema.ts` turns
 * it into the editor's JSON Schema. Rules between values are in `configRules.ts`. Each schema's `error` is the
 * expectation in words, as it reads after "must be".
 */
import * as z from 'zod/mini';
import { AGENT_IDS } from '../model/agent';
import { DOWNGRADE_STEPS } from '../model/profile';
import { SCORING_MODES } from '../model/relevance';
import { BUILTIN_IDS, PRIORITIES } from '../model/section';
import { asGiven, type Phrase, phrase } from '../text/phrase';
import { CHECK_LEVELS, CHECK_RULE_IDS, CHECK_RULES, type CheckRule } from './checkRules';
import { DEFAULT_PROFILE, DEFAULTS, RELAY_DEFAULTS } from './profile';
import {
  amount,
  describe,
  id,
  listOf,
  objectOf,
  oneOf,
  optional,
  path,
  profileName,
  schemaText,
  share,
  whole,
  withDefault,
  withDefaults,
} from './schemaParts';

function profileSchema() {
  const base = DEFAULT_PROFILE;
  const step = oneOf(DOWNGRADE_STEPS);
  const rows = (value: number, words: Phrase) => withDefault(whole(0), value, words);
  return objectOf({
    agent: optional(
      oneOf(AGENT_IDS),
      phrase(
        'Agent that gets the payload. Files that it loads itself are left out of the payload and shown in the meter. The limits apply to the payload.',
      ),
    ),
    budget_tokens: withDefault(whole(1), base.budgetTokens, phrase('Token limit of a payload.')),
    hard_cap_chars: withDefault(whole(1), base.hardCapChars, phrase('Character limit of a payload.')),
    index_tokens: withDefault(whole(1), base.indexTokens, phrase('Token limit of the observation index.')),
    timeline_tokens: withDefault(whole(1), base.timelineTokens, phrase('Token limit of a timeline.')),
    detail_tokens: withDefault(whole(1), base.detailTokens, phrase('Token limit of one expanded item.')),
    map_tokens: withDefault(whole(1), base.mapTokens, phrase('Token limit of the repo map.')),
    max_per_source_tokens: withDefault(
      z.record(id(), whole(1), { error: schemaText(phrase('an object of section ids and token limits')) }),
      base.maxPerSourceTokens,
      phrase(
        'Token limits of single sections, by section id. Setting it replaces all default limits. Run logs without a limit here get 1,200 tokens.',
      ),
    ),
    top_k: withDefaults(
      objectOf({
        index: rows(base.topK.index, phrase('At most this many rows in an index.')),
        timeline: rows(base.topK.timeline, phrase('At most this many rows in a timeline.')),
        detail: rows(base.topK.detail, phrase('At most this many items in a detail answer.')),
      }),
      phrase('Maximum number of rows in an index, a timeline and a detail answer.'),
    ),
    downgrade_order: withDefault(
      listOf(step, phrase('a list of "detail", "timeline", "map", "index"')),
      [...base.downgradeOrder],
      phrase(
        'Has no effect: payloads list observations as index rows only, and priorities decide how the budget is shared.',
      ),
    ),
  });
}

function sectionSchema() {
  const words = { error: schemaText(phrase('a string that is not empty')) };
  const text = () => z.string(words).check(z.minLength(1, words));
  const argWords = { error: schemaText(phrase('a string without NUL characters')) };
  const argument = z.string(argWords).check(z.refine((value) => !value.includes('\0'), argWords));
  const argvWords = { error: schemaText(phrase('a list of strings: the program and its arguments')) };
  return objectOf({
    id: describe(
      id(),
      phrase('Unique name of the section, used in its handle. Its element in the payload has lower case and hyphens.'),
    ),
    file: optional(path(), phrase('One file, relative to the folder.')),
    files: optional(path(), phrase('A glob of files, relative to the folder, such as "memory/topics/*.md".')),
    command: optional(
      z.array(argument, argvWords).check(z.minLength(1, argvWords)),
      phrase(
        'A perception plug-in: program and arguments, run in the folder without a shell. Runs only if the folder is trusted.',
      ),
    ),
    builtin: optional(oneOf(BUILTIN_IDS), phrase('A built-in source, such as git or the repo map.')),
    priority: optional(
      oneOf(PRIORITIES),
      phrase(
        'P0 and P1 are shown in full; P2 gets the rest of the budget first, P4 last. Default: by kind of section (P2 for commands, P4 for other files).',
      ),
    ),
    keep_recent: optional(
      whole(1),
      phrase('Keep only the newest N entries of each dated list; with "files", in each file.'),
    ),
    on_demand: withDefault(
      z.boolean({ error: schemaText(phrase('true or false')) }),
      false,
      phrase('Show one line with a handle; the agent asks for the rest.'),
    ),
    timeout_ms: withDefault(whole(100, 600_000), 5000, phrase('For "command": stops it after this many milliseconds.')),
    keywords: withDefault(
      listOf(text(), phrase('a list of strings')),
      [],
      phrase('Words that make this section relevant.'),
    ),
  });
}

function scoringSchema() {
  const weight = (value: number, words: Phrase) => withDefault(share(), value, words);
  const { mode, threshold, weights, window, roiThresholds, staticRules } = DEFAULTS.scoring;
  return objectOf({
    mode: withDefault(
      oneOf(SCORING_MODES),
      mode,
      phrase(
        'off: no scores. baseline: track usage, change nothing. static: the rules of this file. dynamic: sections with low scores show one line.',
      ),
    ),
    threshold: withDefault(share(), threshold, phrase('In mode "dynamic", sections that score less show one line.')),
    weights: withDefaults(
      objectOf({
        citation: weight(weights.citation, phrase('Weight of how often agents cited the section.')),
        trigger: weight(weights.trigger, phrase('Weight of how well the section matches the task.')),
        recency: weight(weights.recency, phrase('Weight of how recently the section was cited.')),
        size: weight(weights.size, phrase('Weight of how small the section is.')),
      }),
      phrase('How much each factor counts.'),
    ),
    window: withDefault(whole(10, 10_000), window, phrase('Number of newest cycles of the usage log that scores use.')),
    roi_thresholds: withDefaults(
      objectOf({
        waste: withDefault(
          amount(),
          roiThresholds.waste,
          phrase('A lower ROI is WASTE. Unit: citations per 1,000 characters.'),
        ),
        med: withDefault(
          amount(),
          roiThresholds.med,
          phrase('A higher ROI is MED+. Unit: citations per 1,000 characters.'),
        ),
      }),
      phrase('Thresholds of the ROI classes.'),
    ),
    static_rules: withDefaults(
      objectOf({
        on_demand: withDefault(
          listOf(oneOf(PRIORITIES), phrase('a list of priorities')),
          [...staticRules.onDemand],
          phrase('Sections of these priorities show one line with a handle.'),
        ),
        keep_recent: withDefault(
          whole(1),
          staticRules.keepRecent,
          phrase('Lists without their own keep_recent show the newest N entries.'),
        ),
        conversations: withDefault(
          whole(1),
          staticRules.conversations,
          phrase('Sections named after conversations, chats, dialogs or transcripts show the newest N entries.'),
        ),
      }),
      phrase('Rules that apply in mode "static", besides the rules of each section.'),
    ),
  });
}

function checkSchema() {
  type Level = ReturnType<typeof levelSchema>;
  const levelSchema = (rule: CheckRule) =>
    withDefault(oneOf(CHECK_LEVELS), CHECK_RULES[rule].level, CHECK_RULES[rule].words);
  const levels = Object.fromEntries(CHECK_RULE_IDS.map((rule) => [rule, levelSchema(rule)]));
  const limit = () => whole(1);
  const agentLimit = (agent: string) => optional(limit(), phrase('Token limit of what {0} loads.', agent));
  const agents = Object.fromEntries(AGENT_IDS.map((agent) => [agent, agentLimit(agent)]));
  return objectOf({
    rules: withDefaults(
      objectOf(levels as Record<CheckRule, Level>),
      phrase('Levels of rules, by rule: error fails the check, warning and note do not, off skips the rule.'),
    ),
    limits: withDefaults(
      objectOf({
        total: optional(limit(), phrase('Token limit of the expanded payload.')),
        section: withDefault(
          z.record(id(), limit(), { error: schemaText(phrase('an object of section ids and token limits')) }),
          {},
          phrase('Token limits of sections, by section id.'),
        ),
        agent: withDefaults(
          objectOf(agents as Record<(typeof AGENT_IDS)[number], ReturnType<typeof agentLimit>>),
          phrase('Token limits of what an agent loads from this folder before the first word, by agent.'),
        ),
      }),
      phrase('Token limits that fail the check. Payloads are not cut to them.'),
    ),
  });
}

function makeConfigSchema() {
  const globs = () => listOf(path(), phrase('a list of globs'));
  const ids = () => listOf(id(), phrase('a list of section ids'));
  const observations = objectOf({
    path: withDefault(path(), DEFAULTS.observations.path, phrase('File that stores observations.')),
    sources: withDefault(globs(), [...DEFAULTS.observations.sources], phrase('Run logs that Ingest Run Logs reads.')),
  });
  const relay = objectOf({
    path: withDefault(
      path(),
      RELAY_DEFAULTS.path,
      phrase('The relay log: JSON with relay_context and the lists of a long session.'),
    ),
    ledger: withDefault(
      path(),
      RELAY_DEFAULTS.ledger,
      phrase('The ledger: JSON with the essentials that the log lacks, and the state of tasks.'),
    ),
    max_tokens: withDefault(
      whole(1),
      RELAY_DEFAULTS.maxTokens,
      phrase('Number of tokens above which the relay log needs compaction.'),
    ),
  });
  const repoMap = objectOf({
    include: withDefault(globs(), [], phrase('Only files that match one of these globs; empty means all.')),
    exclude: withDefault(globs(), [], phrase('Files to leave out of the map.')),
    max_file_bytes: withDefault(whole(1, 50_000_000), DEFAULTS.maxFileBytes, phrase('Larger files are not parsed.')),
  });
  const flag = () => z.boolean({ error: schemaText(phrase('true or false')) });
  const sessionStart = objectOf({
    changes: withDefault(flag(), true, phrase('Files and functions that changed since the main branch.')),
    orientation_tokens: withDefault(whole(0, 10_000), 300, phrase('Tokens of the map of the folder; 0 for none.')),
    alarms: withDefault(flag(), true, phrase('Sections with a warning or an alert.')),
    instructions: withDefault(flag(), true, phrase('Instructions that the agent cuts or does not load.')),
    index: withDefault(flag(), false, phrase('The whole index payload.')),
  });
  return describe(
    objectOf({
      $schema: optional(z.string({ error: schemaText(phrase('a string')) }), phrase('The JSON Schema of this file.')),
      version: withDefault(z.literal(1, { error: schemaText(asGiven('1')) }), 1, phrase('Version of this format.')),
      default_profile: withDefault(
        profileName(),
        DEFAULT_PROFILE.name,
        phrase('Profile that is used until you select one.'),
      ),
      profiles: withDefault(
        z.record(profileName(), profileSchema(), { error: schemaText(phrase('an object of profiles by name')) }),
        {},
        phrase('Sets of limits, by name. Missing values come from the built-in default profile.'),
      ),
      sections: withDefault(
        listOf(sectionSchema(), phrase('a list of sections')),
        [],
        phrase('Sections to add to those that are found, or to replace them (same id or same file).'),
      ),
      pinned: withDefault(
        ids(),
        [],
        phrase('Sections that are not shortened because of their score. The limit can still cut them.'),
      ),
      excluded: withDefault(ids(), [], phrase('Sections that are left out of every payload.')),
      on_demand: withDefault(
        ids(),
        [],
        phrase('Sections that show one line with a handle; the agent asks for the rest.'),
      ),
      agents: withDefault(
        listOf(oneOf(AGENT_IDS), phrase('a list of agents')),
        [],
        phrase('Agents you use. Default: the setting, else detected agents.'),
      ),
      scoring: withDefaults(scoringSchema(), phrase('How sections are scored for relevance.')),
      observations: withDefaults(observations, phrase('Recorded events.')),
      relay: withDefaults(relay, phrase('Files of the relay: log and ledger.')),
      usage_log: withDefault(path(), DEFAULTS.usageLog, phrase('File of the usage log.')),
      repo_map: withDefaults(repoMap, phrase('What the repo map covers.')),
      check: withDefaults(checkSchema(), phrase('Rules and limits of the check.')),
      session_start: withDefaults(sessionStart, phrase('What the hooks tell an agent when a session starts.')),
    }),
    phrase('Configuration of Context Budget for this folder.'),
  );
}

/** The zod schema of the config file. */
type ConfigSchema = ReturnType<typeof makeConfigSchema>;

/** A valid config file with every default filled in; keys as in the file. */
export type ConfigFile = z.output<ConfigSchema>;

let schema: ConfigSchema | undefined;

/** The schema, built on first use: building costs milliseconds that activation does not have. */
export function configSchema(): ConfigSchema {
  schema ??= makeConfigSchema();
  return schema;
}
