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
import { SECTION_ID } from '../text/elements';
import { asGiven, inEnglish, type Phrase, phrase } from '../text/phrase';
import { SAFE_PATH_PATTERN } from '../text/safePath';
import { DEFAULT_PROFILE, DEFAULTS, RELAY_DEFAULTS } from './profile';

/** Keeps caps far away from where sums of tokens lose precision, and slips of the keyboard out. */
const MAX_CAP = 100_000_000;

/** Longer than any path a file system takes; the glob library refuses patterns of 65,536 and more. */
const MAX_PATH_CHARS = 4096;

/** The schema library takes and hands on texts alone, so each phrase is kept under its English. */
const known = new Map<string, Phrase>();

function schemaText(words: Phrase): string {
  const english = inEnglish(words);
  known.set(english, words);
  return english;
}

/** The phrase behind a text that the schema library gave back. */
export function schemaWords(text: string): Phrase {
  return known.get(text) ?? asGiven(text);
}

export const ID_WORDS = schemaText(
  phrase('an id of letters, digits, "_" and "-" that starts with a letter or digit, such as "topic-memory"'),
);
const PATH_WORDS = schemaText(
  phrase('a path inside the folder, with "/" between names, without a leading "/" and without ".."'),
);
const PROFILE_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9 _.-]{0,63}$/;

function describe<T extends z.ZodMiniType>(schema: T, description: Phrase): T {
  z.globalRegistry.add(schema, { description: schemaText(description) });
  return schema;
}

function whole(minimum: number, maximum = MAX_CAP) {
  const words =
    maximum === MAX_CAP
      ? phrase('a whole number of at least {0}', String(minimum))
      : phrase('a whole number from {0} to {1}', String(minimum), maximum);
  const error = { error: schemaText(words) };
  return z.int(error).check(z.minimum(minimum, error), z.maximum(maximum, error));
}

function share() {
  const error = { error: schemaText(phrase('a number from 0 to 1')) };
  return z.number(error).check(z.minimum(0, error), z.maximum(1, error));
}

function amount() {
  const error = { error: schemaText(phrase('a number from 0 to 1,000,000')) };
  return z.number(error).check(z.minimum(0, error), z.maximum(1_000_000, error));
}

function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: schemaText(phrase('one of {0}', values.map((value) => `"${value}"`).join(', '))) });
}

function listOf<T extends z.ZodMiniType>(element: T, words: Phrase) {
  return z.array(element, { error: schemaText(words) });
}

function objectOf<T extends Record<string, z.ZodMiniType>>(shape: T) {
  return z.object(shape, { error: schemaText(phrase('an object')) });
}

const path = () => {
  const error = { error: PATH_WORDS };
  return z
    .string(error)
    .check(z.maxLength(MAX_PATH_CHARS, { ...error, abort: true }), z.regex(SAFE_PATH_PATTERN, error));
};
const id = () => z.string({ error: ID_WORDS }).check(z.regex(SECTION_ID, { error: ID_WORDS }));
const profileName = () => {
  const error = {
    error: schemaText(phrase('a profile name: letters, digits, spaces, dots, hyphens, at most 64 characters')),
  };
  return z.string(error).check(z.regex(PROFILE_NAME_PATTERN, error));
};

function withDefault<T extends z.ZodMiniType>(schema: T, value: z.output<T>, description: Phrase) {
  return describe(z._default(schema, value as never), description);
}

/** An object that is all defaults where it is left out. */
function withDefaults<T extends z.ZodMiniType>(schema: T, description: Phrase) {
  return withDefault(schema, z.parse(schema, {}), description);
}

function optional<T extends z.ZodMiniType>(schema: T, description: Phrase) {
  return describe(z.optional(schema), description);
}

function profileSchema() {
  const base = DEFAULT_PROFILE;
  const step = oneOf(DOWNGRADE_STEPS);
  const rows = (value: number, words: Phrase) => withDefault(whole(0), value, words);
  return objectOf({
    agent: optional(
      oneOf(AGENT_IDS),
      phrase(
        'Who gets the payload. What this agent loads by itself stays in the meter and is left out of the payload; the caps hold for the payload.',
      ),
    ),
    budget_tokens: withDefault(whole(1), base.budgetTokens, phrase('Cap of a whole payload, in tokens.')),
    hard_cap_chars: withDefault(whole(1), base.hardCapChars, phrase('Cap of a whole payload, in characters.')),
    index_tokens: withDefault(whole(1), base.indexTokens, phrase('Cap of the observation index, in tokens.')),
    timeline_tokens: withDefault(whole(1), base.timelineTokens, phrase('Cap of a timeline, in tokens.')),
    detail_tokens: withDefault(whole(1), base.detailTokens, phrase('Cap of one expanded item, in tokens.')),
    map_tokens: withDefault(whole(1), base.mapTokens, phrase('Cap of the repo map, in tokens.')),
    max_per_source_tokens: withDefault(
      z.record(id(), whole(1), { error: schemaText(phrase('an object of section ids and token caps')) }),
      base.maxPerSourceTokens,
      phrase('Caps of single sections, in tokens, by section id. Replaces the default as a whole.'),
    ),
    top_k: withDefaults(
      objectOf({
        index: rows(base.topK.index, phrase('At most this many rows in an index.')),
        timeline: rows(base.topK.timeline, phrase('At most this many rows in a timeline.')),
        detail: rows(base.topK.detail, phrase('At most this many items in a detail answer.')),
      }),
      phrase('How many rows each layer lists.'),
    ),
    downgrade_order: withDefault(
      listOf(step, phrase('a list of "detail", "timeline", "map", "index"')),
      [...base.downgradeOrder],
      phrase('Has no effect at present: the budget is granted by priority.'),
    ),
  });
}

function sectionSchema() {
  const words = { error: schemaText(phrase('a text that is not empty')) };
  const text = () => z.string(words).check(z.minLength(1, words));
  const argWords = { error: schemaText(phrase('a text without NUL characters')) };
  const argument = z.string(argWords).check(z.refine((value) => !value.includes('\0'), argWords));
  const argvWords = { error: schemaText(phrase('a list of texts: the program and its arguments')) };
  return objectOf({
    id: describe(
      id(),
      phrase('Unique name of the section. Its handle has it as written; its element has lower case and hyphens.'),
    ),
    file: optional(path(), phrase('One file, relative to the folder.')),
    files: optional(path(), phrase('A glob of files, relative to the folder, such as "memory/topics/*.md".')),
    command: optional(
      z.array(argument, argvWords).check(z.minLength(1, argvWords)),
      phrase(
        'A perception plug-in: program and arguments, run in the folder without a shell, only when it is trusted.',
      ),
    ),
    builtin: optional(oneOf(BUILTIN_IDS), phrase('A source of this extension.')),
    priority: optional(
      oneOf(PRIORITIES),
      phrase(
        'P0 is never cut, P4 is cut first. Default: by what the section is (P2 for commands, P4 for other files).',
      ),
    ),
    keep_recent: optional(
      whole(1),
      phrase('Keep only the newest N entries of each dated list, in each file with "files".'),
    ),
    on_demand: withDefault(
      z.boolean({ error: schemaText(phrase('true or false')) }),
      false,
      phrase('Show one line with a handle; the agent asks for the rest.'),
    ),
    timeout_ms: withDefault(
      whole(100, 600_000),
      5000,
      phrase('For "command": it is ended after this many milliseconds.'),
    ),
    keywords: withDefault(
      listOf(text(), phrase('a list of texts')),
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
      phrase('off: no scores. baseline: measure only. static: the rules of this file. dynamic: stubs by score.'),
    ),
    threshold: withDefault(share(), threshold, phrase('In mode "dynamic", sections that score less become stubs.')),
    weights: withDefaults(
      objectOf({
        citation: weight(weights.citation, phrase('Weight of how often agents cited the section.')),
        trigger: weight(weights.trigger, phrase('Weight of how well it matches the task.')),
        recency: weight(weights.recency, phrase('Weight of how recently it was cited.')),
        size: weight(weights.size, phrase('Weight of how small it is.')),
      }),
      phrase('How much each factor counts.'),
    ),
    window: withDefault(
      whole(10, 10_000),
      window,
      phrase('Newest cycles of the usage log that scores and ROI look at.'),
    ),
    roi_thresholds: withDefaults(
      objectOf({
        waste: withDefault(amount(), roiThresholds.waste, phrase('Less is WASTE, in citations per 1,000 characters.')),
        med: withDefault(amount(), roiThresholds.med, phrase('More is MED+, in citations per 1,000 characters.')),
      }),
      phrase('Borders of the ROI classes.'),
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
          phrase('Lists without a keep_recent of their own show the newest N entries.'),
        ),
        conversations: withDefault(
          whole(1),
          staticRules.conversations,
          phrase('The same for sections of conversations or chats, by their names.'),
        ),
      }),
      phrase('What mode "static" adds to the rules of single sections.'),
    ),
  });
}

function makeConfigSchema() {
  const globs = () => listOf(path(), phrase('a list of globs'));
  const ids = () => listOf(id(), phrase('a list of section ids'));
  const observations = objectOf({
    path: withDefault(path(), DEFAULTS.observations.path, phrase('Where observations are kept.')),
    sources: withDefault(globs(), [...DEFAULTS.observations.sources], phrase('Run logs to take them from.')),
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
    max_tokens: withDefault(whole(1), RELAY_DEFAULTS.maxTokens, phrase('A longer relay log is due for compaction.')),
  });
  const repoMap = objectOf({
    include: withDefault(globs(), [], phrase('Only files that match one of these globs; empty means all.')),
    exclude: withDefault(globs(), [], phrase('Files to leave out of the map.')),
    max_file_bytes: withDefault(whole(1, 50_000_000), DEFAULTS.maxFileBytes, phrase('Larger files are not parsed.')),
  });
  return describe(
    objectOf({
      $schema: optional(z.string({ error: schemaText(phrase('a text')) }), phrase('The JSON Schema of this file.')),
      version: withDefault(z.literal(1, { error: schemaText(asGiven('1')) }), 1, phrase('Version of this format.')),
      default_profile: withDefault(
        profileName(),
        DEFAULT_PROFILE.name,
        phrase('The profile in use when none was picked.'),
      ),
      profiles: withDefault(
        z.record(profileName(), profileSchema(), { error: schemaText(phrase('an object of profiles by name')) }),
        {},
        phrase('Sets of caps, by name. What a profile leaves out is as in the built-in default profile.'),
      ),
      sections: withDefault(
        listOf(sectionSchema(), phrase('a list of sections')),
        [],
        phrase('Sections to add to those that are found, or to replace them (same id or same file).'),
      ),
      pinned: withDefault(ids(), [], phrase('Sections that are never a stub, whatever their score.')),
      excluded: withDefault(ids(), [], phrase('Sections that are left out of every payload.')),
      on_demand: withDefault(
        ids(),
        [],
        phrase('Sections that show one line with a handle; the agent asks for the rest.'),
      ),
      agents: withDefault(
        listOf(oneOf(AGENT_IDS), phrase('a list of agents')),
        [],
        phrase('Agents you use. Default: agents with files of their own in the folder.'),
      ),
      scoring: withDefaults(scoringSchema(), phrase('How sections are scored for relevance.')),
      observations: withDefaults(observations, phrase('Recorded events.')),
      relay: withDefaults(relay, phrase('What a relay window must never lose.')),
      usage_log: withDefault(path(), DEFAULTS.usageLog, phrase('Where the use of payloads is recorded.')),
      repo_map: withDefaults(repoMap, phrase('What the repo map covers.')),
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
