import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { AGENT_TABLE } from '../../src/core/agents/agentTable';
import { AGENT_IDS } from '../../src/core/model/agent';
import { SESSION_AGENTS } from '../../src/core/transcripts/sessions/sessionLog';
import { AGENT_NAMES } from '../../src/core/transcripts/transcriptAdapter';
import {
  CAPTURE_SETTINGS,
  COMMAND_IDS,
  COMMANDS,
  CONTEXT_KEYS,
  LISTED_COMMANDS,
  SETTINGS,
  SETTINGS_SECTION,
  UNLISTED_COMMANDS,
  VIEWS,
} from '../../src/vscode/base/ids';

const root = path.resolve(import.meta.dirname, '../..');

/** Commands that are not in the palette: they need a row, which their names tell, belong to a link, or are offered by another one. */
const OFFERED_ELSEWHERE: readonly string[] = [
  COMMANDS.hideStatusBar,
  // In the panel's menus, and a button of its rows.
  ...[COMMANDS.recordAgentReply, COMMANDS.sortSections],
  // The title of its view.
  COMMANDS.refreshSessions,
  // *Set Task…* clears with nothing typed; *Copy Other…* has the others.
  ...[COMMANDS.copyRepoMap, COMMANDS.copyRepoMapForTask, COMMANDS.copyTimeline, COMMANDS.copyDetail],
];
const HIDDEN_COMMANDS = LISTED_COMMANDS.filter((id) => OFFERED_ELSEWHERE.includes(id) || id.split('.').length > 2);

const VIEW_CONTAINER = 'contextBudget';

interface Menu {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

interface Setting {
  readonly type: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly scope?: string;
  readonly order?: number;
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly items?: Pick<Setting, 'enum' | 'enumDescriptions'>;
}

interface Manifest {
  readonly main: string;
  readonly icon: string;
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: string; readonly description: string };
    readonly virtualWorkspaces: { readonly supported: string | boolean };
  };
  readonly extensionKind: readonly string[];
  readonly contributes: {
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string; readonly icon: string }[] };
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly type?: string }[]>>;
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category: string;
      readonly enablement?: string;
    }[];
    readonly menus: Readonly<Record<string, readonly Menu[]>>;
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when: string }[];
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly id: string;
        readonly description: string;
        readonly media: { readonly svg: string; readonly altText: string };
        readonly completionEvents: readonly string[];
      }[];
    }[];
    readonly jsonValidation: readonly { readonly fileMatch: string; readonly url: string }[];
  };
}

const text = readFileSync(path.join(root, 'package.json'), 'utf8');
const manifest = JSON.parse(text) as Manifest;
const nls = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
const { contributes } = manifest;
const usedKeys = [...text.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? '');
const declared = contributes.commands.map(({ command }) => command);

describe('commands', () => {
  test('the manifest and the typed ids name the same commands', () => {
    expect([...declared].sort()).toEqual([...LISTED_COMMANDS].sort());
    expect(COMMAND_IDS).toHaveLength(LISTED_COMMANDS.length + Object.keys(UNLISTED_COMMANDS).length);
  });

  test('every command has a title in Title Case from package.nls.json, and the category', () => {
    for (const { command, title, category } of contributes.commands) {
      const words = nls[title.slice(1, -1)] ?? '';
      expect(words, command).toMatch(/^[A-Z]/);
      expect(category, command).toBe('Context Budget');
    }
  });

  test('titles are unique among the commands of the palette', () => {
    const titles = contributes.commands
      .filter(({ command }) => !(HIDDEN_COMMANDS as readonly string[]).includes(command))
      .map(({ title }) => nls[title.slice(1, -1)]);
    expect(new Set(titles).size).toBe(titles.length);
  });

  test('commands that need a row or a link are hidden from the palette, and no others', () => {
    const hidden = (contributes.menus.commandPalette ?? []).filter(({ when }) => when === 'false');
    expect(hidden.map(({ command }) => command).sort()).toEqual([...HIDDEN_COMMANDS].sort());
  });

  test('menus name declared commands only', () => {
    for (const [menu, items] of Object.entries(contributes.menus)) {
      for (const { command } of items) expect(declared, menu).toContain(command);
    }
  });

  test('each view shows two title actions at a time, the rest is in its overflow', () => {
    const title = contributes.menus['view/title'] ?? [];
    const shown = (view: string) =>
      title.filter(({ group, when }) => group?.startsWith('navigation') && when?.includes(`view == ${view}`));
    expect(shown(VIEWS.budget)).toHaveLength(2);
    expect(title.filter(({ when }) => when?.includes(VIEWS.budget)).map(({ command }) => command)).toContain(
      'contextBudget.connectAgent',
    );
    // Entries at the same place exclude each other.
    expect(new Set(shown(VIEWS.repoMap).map(({ group }) => group))).toEqual(new Set(['navigation@1', 'navigation@2']));
    for (const { when } of title) expect(Object.values(VIEWS).some((view) => when?.includes(view))).toBe(true);
  });

  test('when clauses ask for keys that the extension tells', () => {
    const asked = new Set(
      [
        ...text.matchAll(
          /contextBudget\.(?:(?:is|has|map|index)[A-Z]|observation(?:Grouping|State)|session(?=State))\w*/g,
        ),
      ].map(([key]) => key),
    );
    expect([...asked].sort()).toEqual(Object.values(CONTEXT_KEYS).sort());
  });

  test('row menus ask for the panel and for a row', () => {
    for (const { when } of contributes.menus['webview/context'] ?? []) {
      expect(when).toContain(`webviewId == '${VIEWS.budget}'`);
      expect(when).toContain("webviewSection == 'section'");
    }
  });
});

describe('agents', () => {
  test('of the setting are those of the table', () => {
    const { items } = contributes.configuration.properties[`${SETTINGS_SECTION}.${SETTINGS.agents}`] as Setting;
    expect(items?.enum).toEqual(AGENT_IDS);
  });
});

describe('transcripts', () => {
  test('can be turned on for the agents that have a reader, each with words of its own', () => {
    const items = (contributes.configuration.properties[`${SETTINGS_SECTION}.${SETTINGS.transcripts}`] as Setting)
      .items;
    const agents = [...new Set([...AGENT_NAMES, ...SESSION_AGENTS])];
    expect(items?.enum).toEqual(agents);
    expect(items?.enumDescriptions).toEqual(agents.map((name) => `%setting.transcripts.${name}%`));
    const readers = AGENT_TABLE.flatMap(({ transcripts }) => transcripts?.reader ?? []);
    expect([...readers].sort()).toEqual([...AGENT_NAMES].sort());
  });
});

describe('views', () => {
  test('the manifest and the typed ids name the same container and views', () => {
    expect(contributes.viewsContainers.activitybar.map(({ id }) => id)).toEqual([VIEW_CONTAINER]);
    expect(Object.keys(contributes.views)).toEqual([VIEW_CONTAINER]);
    expect((contributes.views[VIEW_CONTAINER] ?? []).map(({ id }) => id)).toEqual(Object.values(VIEWS));
  });
});

/** What a `when` clause of `&&`, `==`, `!=`, `>` and `!` says of these keys. */
function holds(when: string, keys: Readonly<Record<string, string | number | boolean>>): boolean {
  return when.split(' && ').every((term) => {
    const [, key = '', operator, value = ''] = /^!?([\w.]+)(?: (==|!=|>) (.+))?$/.exec(term) ?? [];
    if (operator === '>') return Number(keys[key]) > Number(value);
    if (operator !== undefined) {
      const isSame = String(keys[key]) === value.replaceAll("'", '');
      return isSame === (operator === '==');
    }
    return Boolean(keys[key]) !== term.startsWith('!');
  });
}

describe('the palette', () => {
  const when = new Map((contributes.menus.commandPalette ?? []).map(({ command, when = '' }) => [command, when]));
  /** VS Code leaves out what is not enabled. */
  const shown = (keys: Readonly<Record<string, string | number | boolean>>): readonly string[] =>
    contributes.commands
      .filter(({ command, enablement }) =>
        [enablement, when.get(command)].every(
          (clause) => clause === undefined || (clause !== 'false' && holds(clause, keys)),
        ),
      )
      .map(({ command }) => command.replace('contextBudget.', ''));
  const folder = { workspaceFolderCount: 1, 'contextBudget.hasMachine': true, 'contextBudget.indexState': 'ready' };
  /** All that a folder can have: instructions, a relay log, hooks, observations, a map. */
  const full = {
    ...folder,
    'contextBudget.hasAgentsFile': true,
    'contextBudget.hasRelay': true,
    'contextBudget.hasHooks': true,
    'contextBudget.mapState': 'map',
    'contextBudget.observationState': 'some',
  };
  /** With what was just done there: a copy with masked keys, a filter, a search. */
  const everything = {
    ...full,
    'contextBudget.hasHeldBack': true,
    'contextBudget.hasMasked': true,
    'contextBudget.isMapFiltered': true,
    'contextBudget.isObservationFiltered': true,
  };

  test('has at most 8 commands without a folder', () => {
    expect(shown({ workspaceFolderCount: 0 })).toEqual(['showLog', 'copyDiagnostics']);
  });

  test('has at most 24 commands in a folder with all that one can have', () => {
    expect(shown(full).length).toBeLessThanOrEqual(24);
    expect(shown(full)).toEqual(
      expect.arrayContaining(['connectAgent', 'chooseAgents', 'removeHooks', 'compactRelay']),
    );
    expect([shown(folder), shown(full)].map((names) => names.includes('createInstructions'))).toEqual([true, false]);
  });

  test('has few commands in a folder, each of which has something to be about', () => {
    expect(shown(folder)).toHaveLength(21);
    for (const name of ['copyOther', 'tuneRelevance', 'copyDiagnostics', 'toggleObservationGrouping'])
      expect(shown(folder)).toContain(name);
  });

  test('adds what is about masked keys, hooks, a relay log or a running index only where there is one', () => {
    const added = shown(everything).filter((name) => !shown(folder).includes(name));
    expect(added.sort()).toEqual([
      ...['clearObservationSearch', 'clearRepoMapFilter', 'compactRelay', 'copyObserverPrompt', 'copyRelaySummary'],
      ...['copyUnmasked', 'removeHooks', 'showMasked'],
    ]);
    for (const [state, name] of [
      ['running', 'stopIndexing'],
      ['stopped', 'resumeIndexing'],
    ] as const)
      expect(shown({ ...folder, 'contextBudget.indexState': state })).toContain(name);
    expect(shown(everything)).not.toContain('stopIndexing');
  });
});

describe('titles of the views', () => {
  const shown = (view: string, keys: Readonly<Record<string, string | number | boolean>>): readonly string[] =>
    (contributes.menus['view/title'] ?? [])
      .filter(({ when = '' }) => holds(when, { ...keys, view }))
      .map(({ command }) => command.replace('contextBudget.', ''));
  const folder = { workspaceFolderCount: 1, 'contextBudget.indexState': 'ready' };

  test('offer nothing without a folder', () => {
    for (const view of Object.values(VIEWS)) expect(shown(view, { workspaceFolderCount: 0 }), view).toEqual([]);
  });

  test('of the panel offer nothing in an empty folder, and all in one that has something to show', () => {
    expect(shown(VIEWS.budget, { ...folder, 'contextBudget.hasContent': false })).toEqual([]);
    expect(shown(VIEWS.budget, { ...folder, 'contextBudget.hasContent': true })).toHaveLength(14);
  });

  test('of an empty tree offer only what can give it rows, and the log', () => {
    const empty = { 'contextBudget.mapState': 'noSymbols', 'contextBudget.observationState': 'none' };
    expect(shown(VIEWS.repoMap, { ...folder, ...empty })).toEqual(['refresh', 'showLog']);
    const observations = ['addObservation', 'ingestRunLogs', 'refresh', 'showLog'];
    expect(shown(VIEWS.observations, { ...folder, ...empty })).toEqual(observations);
    const unfiltered = { 'contextBudget.isMapFiltered': false, 'contextBudget.isObservationFiltered': false };
    const states = { 'contextBudget.mapState': 'map', 'contextBudget.observationState': 'some' };
    const filled = { ...folder, ...unfiltered, ...states };
    expect(shown(VIEWS.repoMap, filled)).toContain('filterRepoMap');
    expect(shown(VIEWS.observations, filled)).toContain('searchObservations');
  });
});

describe('first run', () => {
  const texts = (keys: Readonly<Record<string, string | number | boolean>>, view: string) =>
    contributes.viewsWelcome.filter((welcome) => welcome.view === view && holds(welcome.when, keys));
  const states = [true, false].flatMap((isWorkspaceTrusted) =>
    ['', 'vscode-vfs'].map((virtualWorkspace) => ({ isWorkspaceTrusted, virtualWorkspace })),
  );

  test.each(states)('an empty tree says one thing, whatever the folder is: %o', (state) => {
    const empty = {
      ...state,
      workspaceFolderCount: 1,
      'contextBudget.mapState': 'noSymbols',
      'contextBudget.observationState': 'none',
      'contextBudget.isObservationFiltered': false,
    };
    const none = { ...state, workspaceFolderCount: 0 };
    for (const view of [VIEWS.repoMap, VIEWS.observations]) {
      expect(texts(empty, view), view).toHaveLength(1);
      expect(texts(none, view), view).toHaveLength(1);
    }
  });

  test('a tree with rows, or with a search that found nothing, says nothing of the kind', () => {
    const keys = { isWorkspaceTrusted: true, virtualWorkspace: '', workspaceFolderCount: 1 };
    expect(texts({ ...keys, 'contextBudget.mapState': 'map' }, VIEWS.repoMap)).toEqual([]);
    expect(texts({ ...keys, 'contextBudget.observationState': 'some' }, VIEWS.observations)).toEqual([]);
    const searched = { ...keys, 'contextBudget.observationState': 'none', 'contextBudget.isObservationFiltered': true };
    expect(texts(searched, VIEWS.observations)).toEqual([]);
  });

  const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
  /** Commands of VS Code that our texts link to. */
  const BUILT_IN = ['vscode.openFolder', 'workbench.trust.manage', 'workbench.action.openWalkthrough'];

  test('four steps, each with a picture that follows the theme and is told in words', () => {
    expect(steps.map(({ id }) => id)).toEqual(['cost', 'trim', 'task', 'hand']);
    for (const { id, description, media } of steps) {
      const picture = readFileSync(path.join(root, media.svg), 'utf8');
      expect(picture, id).toContain('var(--vscode-');
      // The page of a walkthrough allows no style attributes, and a colour of its own is wrong in some theme.
      expect(picture, id).not.toMatch(/style=|<style|#[0-9a-f]{3,8}\b|rgb/i);
      expect(nls[media.altText.slice(1, -1)], id).toBeTruthy();
      // A walkthrough's text knows links and bold, and shows other Markdown as it is typed.
      expect(nls[description.slice(1, -1)], id).not.toMatch(/(?<!\*)\*(?!\*)|`|(?<!\w)_/);
    }
  });

  test('the first step waits for a folder that was counted: an empty panel shows no cost', () => {
    expect(steps[0]?.completionEvents).toEqual([`onContext:${CONTEXT_KEYS.hasShownBudget}`]);
  });

  test('links run commands that there are, and a step is done by what it is about', () => {
    const known: readonly string[] = [...declared, ...BUILT_IN, ...Object.values(VIEWS).map((view) => `${view}.focus`)];
    const linked = Object.values(nls).flatMap((words) =>
      [...words.matchAll(/\(command:([^)?]+)/g)].map(([, id]) => id),
    );
    expect(linked.length).toBeGreaterThan(10);
    for (const id of linked) expect(known).toContain(id);
    const events = steps.flatMap(({ completionEvents }) => completionEvents);
    const expected = [...declared, ...Object.values(VIEWS), ...Object.values(CONTEXT_KEYS)] as readonly string[];
    for (const event of events)
      for (const name of event.replace(/^on(Command|View|Context):/, '').split(' && '))
        expect(expected, event).toContain(name.replace(/^view\.(.+)\.visible$/, '$1'));
  });

  test('without a folder no step is done, however often the panel is opened', () => {
    const events = steps.flatMap(({ completionEvents }) => completionEvents);
    expect(events.filter((event) => event.startsWith('onView:'))).toEqual([]);
    const contexts = events.filter((event) => event.startsWith('onContext:'));
    for (const context of contexts) expect(context).toMatch(/contextBudget\.(?:hasShownBudget|hasTask)/);
  });
});

describe('settings', () => {
  const settings = Object.entries(contributes.configuration.properties);

  test('the manifest and the typed ids name the same settings', () => {
    const typed = Object.values({ ...SETTINGS, ...CAPTURE_SETTINGS }).map((name) => `${SETTINGS_SECTION}.${name}`);
    expect(settings.map(([name]) => name).sort()).toEqual(typed.sort());
  });

  test('each has a default, a scope, an order and a description', () => {
    for (const [name, setting] of settings) {
      expect(setting.default, name).toBeDefined();
      expect(setting.scope, name).toBeDefined();
      expect(setting.order, name).toBeTypeOf('number');
      const key = setting.markdownDescription ?? setting.description ?? '';
      expect(nls[key.slice(1, -1)], name).toBeTruthy();
      expect(setting.enumDescriptions?.length, name).toBe(setting.enum?.length);
    }
  });
});

test('the extension runs where the files are, also in a remote window', () => {
  expect(manifest.extensionKind).toEqual(['workspace']);
});

describe('settings that let programs of a folder run, agents connect or numbers be sent', () => {
  test('belong to the machine: no workspace sets them', () => {
    const guarded = Object.entries(contributes.configuration.properties).filter(([name]) =>
      /\.(?:mcp|openTelemetry)\./.test(name),
    );
    expect(guarded.map(([name, { scope }]) => [name, scope])).toEqual(
      [
        'mcp.enabled',
        'mcp.trust',
        ...['enabled', 'endpoint', 'interval', 'names'].map((name) => `openTelemetry.${name}`),
      ].map((name) => [`contextBudget.${name}`, 'machine']),
    );
  });
});

describe('settings of numbers', () => {
  test('have bounds, and a default within them', () => {
    const numbers = Object.entries(contributes.configuration.properties).filter(([, { type }]) => type === 'number');
    expect(numbers.length).toBeGreaterThan(0);
    for (const [name, { default: value, minimum, maximum }] of numbers) {
      expect(value, name).toBeGreaterThanOrEqual(minimum ?? Number.POSITIVE_INFINITY);
      expect(value, name).toBeLessThanOrEqual(maximum ?? Number.NEGATIVE_INFINITY);
    }
  });

  test('stand in an order of their own', () => {
    const orders = Object.values(contributes.configuration.properties).map(({ order }) => order);
    expect(new Set(orders).size).toBe(orders.length);
  });
});

describe('texts', () => {
  test('every %key% of the manifest is in package.nls.json, and every key there is used', () => {
    expect([...new Set(usedKeys)].sort()).toEqual(Object.keys(nls).sort());
  });

  test('translations have the same keys', () => {
    for (const file of readdirSync(root).filter((name) => /^package\.nls\..+\.json$/.test(name))) {
      const translated = JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Record<string, string>;
      expect(Object.keys(translated).sort(), file).toEqual(Object.keys(nls).sort());
    }
  });
});

describe('host', () => {
  test('nothing but the end of the editor’s start activates the extension by itself', () => {
    expect(manifest.activationEvents).toEqual(['onStartupFinished']);
  });

  test('trust and virtual workspaces are declared', () => {
    expect(manifest.capabilities.untrustedWorkspaces.supported).toBe('limited');
    expect(manifest.capabilities.untrustedWorkspaces.description).toBeTruthy();
    expect(manifest.capabilities.virtualWorkspaces).toBeDefined();
  });

  test('@types/vscode is not newer than engines.vscode', () => {
    const [major, minor] = (manifest.devDependencies['@types/vscode'] ?? '').replace('^', '').split('.').map(Number);
    const [engineMajor, engineMinor] = manifest.engines.vscode.replace('^', '').split('.').map(Number);
    expect([major, minor]).toEqual([engineMajor, engineMinor]);
  });
});

describe('.vscodeignore', () => {
  const lines = readFileSync(path.join(root, '.vscodeignore'), 'utf8').split('\n').filter(Boolean);
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));

  test('is an allow-list', () => {
    expect(lines[0]).toBe('**');
    expect(allowed).toHaveLength(lines.length - 1);
  });

  test('lets in what the manifest points at', () => {
    const needed = [
      manifest.main.replace('./', ''),
      manifest.icon,
      ...contributes.viewsContainers.activitybar.map(({ icon }) => icon),
      ...contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.svg)),
      ...contributes.jsonValidation.map(({ url }) => (nls[url.slice(1, -1)] ?? '').replace('./', '')),
      'package.json',
      'package.nls.json',
      'LICENSE',
      'README.md',
    ];
    for (const file of needed) expect(allowed, file).toContain(file);
  });

  test('keeps sources, tests, maps and dependencies out', () => {
    for (const pattern of allowed) {
      expect(pattern).not.toMatch(/^(src|test|webview\/|node_modules)|\.map$|\*\*/);
    }
  });

  test('the pictures that the manifest names exist', () => {
    for (const file of [manifest.icon, ...contributes.viewsContainers.activitybar.map(({ icon }) => icon)])
      expect(existsSync(path.join(root, file)), file).toBe(true);
  });
});
