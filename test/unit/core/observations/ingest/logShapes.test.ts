import { describe, expect, it } from 'vitest';
import { readRunLog } from '../../../../../src/core/observations/ingest/runLog';

/** Lines that are entries, each with its day; `~` where the text has none. */
function entriesOf(lines: readonly string[], name = 'JOURNAL.md'): readonly string[] {
  const { drafts } = readRunLog(name, lines.join('\n'), { blame: new Map(), file: '2026-12-31' });
  return drafts.map(({ ts, timeFrom, refs }) => {
    const line = /#L(\d+)$/.exec(refs.files[0] ?? '')?.[1] ?? '';
    return `${line} ${timeFrom === 'file' ? '~' : ts.slice(0, 10)}`;
  });
}

const SPANISH = 'El sistema no arranca con la placa nueva y los registros del arranque no dicen por qué falla así.';
const FRENCH = 'Ajout des pages internes et de la validation du formulaire, avec les styles pour la page des contacts.';

describe('what counts as an entry', () => {
  it.each<[what: string, lines: readonly string[], entries: readonly string[]]>([
    [
      'numbered episodes without a day',
      ['# Bitácora', '## Ep. 1 -- El arranque', SPANISH, '## Ep. 2 -- El teclado', SPANISH],
      ['2 ~', '4 ~'],
    ],
    [
      'a day over prose in a language without words here',
      ['# Diario', '## 25/02', SPANISH, '## 28/02', 'Se ha importado el resto de los modelos', '### 04/03', SPANISH],
      ['2 2026-02-25', '4 2026-02-28', '6 2026-03-04'],
    ],
    [
      'a day over sentences that are written as headings',
      ['# 9/7', '### 本日は基本を学んだ。次回は詳しく調べる。', '# 9/10', '### データを抜き出した。'],
      ['1 2026-09-07', '3 2026-09-10'],
    ],
    [
      'items under a day between fences',
      ['```', '2023-06-27', '```', '1. 了解云开发产品能力 `done`', '2. 完成数据库表设计'],
      ['4 2023-06-27', '5 2023-06-27'],
    ],
    [
      'no items below a day with a subject, a field and a sentence',
      [
        ...['# Log', '## 2026-02-03 Parser work', '', '**Duration:** 2 hours', ''],
        ...['Added the parser and fixed the lexer.', '', '### Changes', '- Added the parser', '- Fixed the lexer'],
      ],
      ['2 2026-02-03'],
    ],
    [
      'headings that are a time of day, without a day above',
      ['# Log', '## 22:17', 'the picture came back whole', '## 18:48', 'an idea for the store'],
      ['2 ~', '4 ~'],
    ],
    [
      'a sitting or a marked day with a subject, though what was done has a heading of its own',
      [
        ...['# Log', '## 2026-02-03 - Session 1: The scaffold', '### Accomplished', '- Built it', '- Wrote the guide'],
        ...['### Next Steps', '- Test it', '## 2026-02-04 — The parser (DONE)', '**Goal:** to read all', ''],
        ...['### Changes', '1. **Lexer**: split the marks', '2. **Tests**: wrote ten'],
      ],
      ['2 2026-02-03', '8 2026-02-04'],
    ],
    [
      'lines that name a phase and its state',
      ['  PHASE 1  SPEC ....... COMPLETE  2026-08-16', '  PHASE 2  RENDERERS .. COMPLETE  2026-08-17'],
      ['1 2026-08-16', '2 2026-08-17'],
    ],
    [
      'short days with a part of the day, in two parts of a log',
      [
        ...['### 后端', '10.18', '1. 完善接口', '10.20 晚上', '1. 新增查询', '11.2 下午：', '1. 优化分页'],
        ...[
          '### 前端',
          '10.14 上午',
          '1. 封装图标',
          '10.15 下午:',
          '1. 完成登录',
          '10.16',
          '1. 修改密码',
          '10.17',
          '1. 完成注册',
        ],
      ],
      [3, 5, 7, 10, 12, 14, 16].map(
        (line, at) => `${line} 2026-${['10-18', '10-20', '11-02', '10-14', '10-15', '10-16', '10-17'][at]}`,
      ),
    ],
    [
      'headings without a space behind their marks',
      [
        ...['#Day one: the case', '', 'Drew it.', '', '**Time spent: 2h**', ''],
        ...['#Day two: the board', '', 'Cut it.', '', '**Time spent: 1h**'],
      ],
      ['1 ~', '7 ~'],
    ],
    [
      'a plan of which all items are told as past',
      ['# 2026-02-03', '## Follow-up actions', '- Moved the store', '- Deleted old folders', '- Repaired the types'],
      ['3 2026-02-03', '4 2026-02-03', '5 2026-02-03'],
    ],
    [
      'a subject of which the first line says that it is done',
      ['# Progress', '## Initialization', '- **Status:** Done', '- **Assumptions made:** defaults will do'],
      ['2 ~'],
    ],
    [
      'names in bold with a text under them',
      [
        '# 进度',
        '## 第二轮：问题与修复（全部完成）',
        '1. **武器只能旋转不能移动**',
        '   根因：缺少基准',
        '2. **导出后悬空**',
        '   修复：改为增量',
      ],
      ['3 ~', '5 ~'],
    ],
    [
      'what a Japanese list calls done',
      ['# 作業ログ', '## これまでに完了した主な改修', '- 面積の不具合を修正', '- 文字化けを修正'],
      ['3 ~', '4 ~'],
    ],
    [
      'lines behind dashes',
      ['## 2026-02-02', '— Synced the fork', '— Closed plan 0', '', '## 2026-02-03', '— as he said'],
      ['2 2026-02-02', '3 2026-02-02', '5 2026-02-03'],
    ],
    [
      'items under several days of one month',
      ['# Log', '09/02/2026', '- Tested the mint', '', '17-18/02/2026', 'Clean-up:', '', '- Renamed the burn'],
      ['3 2026-09-02', '8 2026-02-17'],
    ],
    [
      'items with a time of day alone, under a text that names the day',
      ['# Time log', 'All of it on 1 August 2026, in one day.', '- `12:47` Set up', '- `13:48–15:28` First page'],
      ['3 2026-08-01', '4 2026-08-01'],
    ],
    [
      'headings with the time that they took',
      ['# Layout', 'I started it.', '', '**Time spent: 2h**', '# Matrix', 'I drew it.', '', 'Time spent: 6h'],
      ['1 ~', '5 ~'],
    ],
    [
      'items that say first how long they took',
      ['Timelog', '', '* 1 hour 20 minutes were spent on state', '* 40 minutes for the server', '* 25 min to tidy up'],
      ['3 ~', '4 ~', '5 ~'],
    ],
    [
      'paragraphs with a name and its day in bold',
      [
        '# Project',
        '**Quick status (2026-03-19):** all works',
        '',
        '**Update (2026-03-31):** the build is done',
        '## Setup',
        'Run it.',
      ],
      ['4 2026-03-31'],
    ],
    [
      'lists under short days with a weekday, which are no chapters',
      [
        '# 工作记录',
        '',
        '### 5.27 Monday',
        '1. 配置工作环境',
        '2. 熟悉工作流程',
        '',
        '### 5.28 Tuesday',
        '1. 熟悉项目',
      ],
      ['4 2026-05-27', '5 2026-05-27', '8 2026-05-28'],
    ],
    [
      'lists under a day that is continued',
      ['## 2026-03-17', '- Set it up', '## 2026-03-17 (continued)', '- Added skills to CLAUDE.md', '- Added rules'],
      ['2 2026-03-17', '4 2026-03-17', '5 2026-03-17'],
    ],
    [
      'days whose items are the same sides each time, in another language',
      [
        '# Projekttagebuch',
        '## Tag 1 (01.07.2025)',
        '- 🟢 **Aufgaben:** Ich habe mir vorgenommen, den ganzen Bereich der Sendungen zu entwerfen',
        '- **Fortschritt:** Die grundlegende Struktur steht und alle nötigen Teile sind angelegt',
        '- **Blockaden:** Es ging noch eigentlich, wenn auch langsam',
        '## Tag 2 (02.07.2025)',
        '- 🟢 **Aufgaben:** Heute wollte ich die Daten der Schnittstelle einbinden und zeigen',
        '- **Fortschritt:** Ich konnte die Daten einbinden, und die Kanäle stimmen',
        '- **Blockaden:** Ich habe noch keine Logos für die Sender gefunden',
      ],
      ['2 2025-07-01', '6 2025-07-02'],
    ],
    [
      'what a field dates in a file with a byte order mark',
      ['\uFEFF# Phase 1', 'Date: 2025-01-09', '## Changes', '- Added a session', '- Fixed the memory'],
      ['4 2025-01-09', '5 2025-01-09'],
    ],
    [
      'lines with the same label before each day',
      [
        '# Progress',
        '**Last updated**: 2026-08-04 — by Kim',
        '**Stage update**: 2026-08-04 — **Variants are mapped**: all tests pass.',
        '**Stage update**: 2026-08-03 — **Pairing is safe**: the token is checked.',
        '',
        '**Stage update**: 2026-08-03 — **Sync returns at once**.',
      ],
      ['3 2026-08-04', '4 2026-08-03', '6 2026-08-03'],
    ],
    [
      'lists under versions, below a heading that asks what was accomplished',
      [
        '## Session 1 - November 29, 2025',
        '',
        '**Duration:** one session',
        '',
        '## 🎯 What Was Accomplished',
        '',
        '### v0.2.0 - Data',
        '- Fixed the list of exercises',
        '- Added a volume to each set',
      ],
      ['1 2025-11-29', '8 ~', '9 ~'],
    ],
    [
      'a list of what is done already, in Chinese',
      ['# 已经完成', '', '- 1.开始界面', '- 背景图', '  - 3.添加', '- 8.引入碰撞逻辑'],
      ['3 ~', '4 ~', '6 ~'],
    ],
    [
      'lists under a line of its own, in a text without headings',
      [
        '开发完成部分',
        '',
        '1. 音频播放',
        '2. 群英荟萃',
        '',
        '解决的技术问题',
        '',
        '1. 引入 svg',
        '',
        '问题',
        '',
        '1. 页边距',
      ],
      ['3 ~', '4 ~', '8 ~'],
    ],
    [
      'what was decided on a day, and not how things are designed',
      ['## 2026-06-16', '### 决策', '- 用二元结果，丢掉排序', '### 设计决策', '- 两层缓存，各有上限'],
      ['3 2026-06-16'],
    ],
    [
      'what was done in this session, in another language',
      [
        '# Diario',
        `**Data:** 2026-02-19`,
        '## Stato attuale',
        '- È stato impostato un flusso',
        '## Cosa è stato verificato in questa sessione',
        '- Nel repo non risulta una pipeline',
      ],
      ['6 2026-02-19'],
    ],
    [
      'lines of a day and a tab under a year',
      [
        '2015',
        '====',
        '2-Nov\tsearching for artwork',
        '10-Nov\tcreated the project',
        '',
        '2016',
        '====',
        '3-Jan\ttested it',
      ],
      ['3 2015-11-02', '4 2015-11-10', '8 2016-01-03'],
    ],
    [
      'items with their state in brackets at the end',
      ['window.cpp:', '    - Test the size of icons [PASS];', '    - Fix the grid[PASS];', '    - Add a menu [DONE]'],
      ['2 ~', '3 ~', '4 ~'],
    ],
    [
      'changes of a release without a day, in a log of days',
      ['# 更新', '## v0.6.2', '2022-04-29', '', 'Fix:', '- 资源更新', '## v0.6.1', '', 'Fix:', '- 调整请求超时时间'],
      ['6 2022-04-29', '10 ~'],
    ],
    [
      'lines with their time, under a line that is a time alone',
      ['2021/3/22 15:59:02', '\t创建好文件夹了', '2021/3/27 15:47:00 创建好了各个模块'],
      ['1 2021-03-22', '3 2021-03-27'],
    ],
    [
      'items under a heading whose day nobody has filled in',
      [
        '# 作業ログ',
        '## 今日の作業内容（YYYY/MM/DD）',
        '- 移行を決定',
        '- データベース作成',
        '## 注意点',
        '- 安全に管理する',
      ],
      ['3 ~', '4 ~'],
    ],
    [
      'boxes right behind a bullet',
      ['## 2025-06-10', '- Set up the page', '-[X] Commit all of it'],
      ['2 2025-06-10', '3 2025-06-10'],
    ],
    [
      'a list that a sentence on how things stand says is done',
      [
        '# Progress',
        '## Current Status',
        'The branch has completed the refactor:',
        '',
        '- double matches are removed;',
        '- reports are filtered by run;',
      ],
      ['5 ~', '6 ~'],
    ],
    [
      'a day for what was done about the structure',
      [
        '# 记录',
        '## 关键决策记录',
        '### 1. BLE',
        '- 通知接收数据',
        '### 4. 架构重构 (2026-05-11)',
        '- 从单文件拆分为十个模块',
      ],
      ['5 2026-05-11'],
    ],
  ])('%s', (_what, lines, entries) => {
    expect(entriesOf(lines)).toEqual(entries);
  });
});

describe('what is no entry', () => {
  it.each<[what: string, lines: readonly string[]]>([
    [
      'a form that nobody has filled in',
      [
        '# [Feature Name] Worklog',
        '## Skills',
        '- `/name` — [why it applies]',
        '### M1: [First Milestone]',
        '- [ ] Test: [Expected behavior]',
        '- [ ] [Implementation task]',
      ],
    ],
    ['the heading over a date of its own', ['# Notes', '## Session Date', '2025-01-14']],
    [
      'what is to come',
      [
        '# Progress',
        '## Phase 2: Core (Next)',
        'The core.',
        '### Current Technical Debt',
        '1. **No Logging At All Yet**: none',
      ],
    ],
    ['a conclusion', ['# 交接', '## 1. 当前结论', '系统可以运行，接口已经稳定。']],
  ])('%s', (_what, lines) => {
    expect(entriesOf(lines)).toEqual([]);
  });

  it('tables of files and of figures under a day', () => {
    const files = [
      '| File | Lines | Change |',
      '|-|-|-|',
      '| `app/main.py` | +17 | shared client |',
      '| `app/db.py` | -3 | batches |',
    ];
    const figures = [
      '| Metric | Value | Remark |',
      '|-|-|-|',
      '| recall | **94.4%** (17/18) | one lost |',
      '| gap | +0.121 | too small |',
    ];
    const day = ['## 2026-03-15', '- Moved all to one client', ''];
    expect(entriesOf([...day, ...files])).toEqual(['2 2026-03-15']);
    expect(entriesOf([...day, ...figures])).toEqual(['2 2026-03-15']);
    const log = [
      '| Area | Minutes | What |',
      '|-|-|-|',
      '| parser | soon | read all |',
      '| store | late | wrote all |',
    ];
    expect(entriesOf([...day, ...log])).toEqual(['2 2026-03-15', '6 2026-03-15', '7 2026-03-15']);
  });

  it('lists under an act that a heading in another language tells', () => {
    const facts = [
      '### Проблемы',
      '- время хранится без зоны',
      '### Инвариант',
      '- час хранится с зоной и всегда одинаково',
    ];
    expect(entriesOf(['# Журнал', '## 2026-03-15: ✅ Миграция времени', '**Ветка:** `fix/time`', ...facts])).toEqual([
      '2 2026-03-15',
    ]);
  });
});

describe('short days', () => {
  it('are read day first throughout where one of them can be nothing else', () => {
    const lines = [
      '# Journal',
      '## 08/07 (mercredi)',
      FRENCH,
      '## 11-12/07 (week-end)',
      FRENCH,
      '## 13/07 (lundi)',
      FRENCH,
    ];
    expect(entriesOf(lines)).toEqual(['2 2026-07-08', '4 2026-07-11', '6 2026-07-13']);
  });
  it('are read month first elsewhere', () => {
    expect(entriesOf(['## 06/06 周六', '- 完成环境的搭建', '## 06/07 周日', '- 训练了一晚上'])).toEqual([
      '2 2026-06-06',
      '4 2026-06-07',
    ]);
  });
});

describe('items one space further in', () => {
  it('are of the same list where they too begin with a day', () => {
    const lines = ['- 2026-04-11: Created the API contract', ' - 2026-04-12: Added the endpoint'];
    expect(entriesOf(['# Worklog', ...lines])).toEqual(['2 2026-04-11', '3 2026-04-12']);
  });
  it('belong to the one above elsewhere', () => {
    const lines = ['- 2026-04-11: Created the API contract', ' - with every route', '- 2026-04-12: Added the endpoint'];
    expect(entriesOf(['# Worklog', ...lines])).toEqual(['2 2026-04-11', '4 2026-04-12']);
  });
});

describe('tables of which people lost count', () => {
  it('are read by their header', () => {
    const rows = ['| 2026-03-23 | v0.16.8 | 修复后台回退 |', '| 2026-03-20 | v0.16.7 | 移除密钥 |'];
    const lines = ['## 更新目录', '', '| 更新日期 | 更新版本 | 更新说明 |', '| :-- | :-- | :-- | :-- |', ...rows];
    expect(entriesOf(lines)).toEqual(['5 2026-03-23', '6 2026-03-20']);
  });
  it('are no tables with a rule below a sentence', () => {
    expect(entriesOf(['## 2026-03-23', '', 'Fixed `a | b` in the parser', '---', 'and more'])).toEqual([
      '1 2026-03-23',
    ]);
  });
});

it('a field is the day of its heading in the first four lines', () => {
  const log = (others: number): readonly string[] => {
    const fields = Array.from({ length: others }, (_, at) => `Owner ${at}: somebody`);
    return ['# Log', '## Run 1', ...fields, 'Date: 2026-02-03', '', '- Added the parser'];
  };
  expect(entriesOf(log(3))).toEqual(['2 2026-02-03']);
  expect(entriesOf(log(4))).toEqual(['2 ~']);
});

describe('what looks like a heading, a day or a deed, and is none', () => {
  const DAY = ['# Log', '## 2026-02-03', '- Fixed the lexer'];
  const FIRST = ['3 2026-02-03'];

  it.each<[what: string, lines: readonly string[], entries: readonly string[]]>([
    [
      'tags under a day',
      [
        '# Log',
        '## 2026-02-03',
        '#daily #parser',
        '- Fixed the lexer',
        '## 2026-02-04',
        '#daily #reader',
        '- Added it',
      ],
      ['4 2026-02-03', '7 2026-02-04'],
    ],
    ['numbers of issues in a wrapped item', [...DAY, '#45 and #46 of the tracker', '#47 too'], FIRST],
    [
      'next steps whose verbs are the same in the past',
      [...DAY, '## Next steps', '- Set up CI', '- Split it', '- Cut a release'],
      FIRST,
    ],
    [
      'limits that are told by a past form',
      [...DAY, '## Known limitations', '- Hardcoded paths', '- Duplicated code', '- Unhandled errors'],
      FIRST,
    ],
    [
      'phases that are to do',
      [...DAY, '## Next steps', 'Phase 3: deploy — TODO', 'Phase 4: load test — PENDING'],
      FIRST,
    ],
    [
      'sentences that name a step and a state',
      ['# Notes', 'Step 1 of the guide: search for TODO and remove it.', 'Step 2 says what COMPLETE means.'],
      [],
    ],
    [
      'a status that is not done',
      ['# Progress', '## Payments', '- **Status:** 20% complete', '- **Owner:** somebody'],
      [],
    ],
    ['times of a plan', ['# Notes', '## Tomorrow', '### 09:00', 'Fix the parser', '### 10:00', 'Write the docs'], []],
    ['a dash that goes on with an item', [...DAY, '— because escapes were wrong', '— and the tests were slow'], FIRST],
  ])('%s', (_what, lines, entries) => {
    expect(entriesOf(lines)).toEqual(entries);
  });

  it('a weekday and an agent are no subject of a sitting', () => {
    const sitting = (title: string): readonly string[] => [
      ...['# Log', `## ${title}`, '### Completed', '- Added the lexer', '- Fixed the cache'],
      ...['### Next', '- Add docs'],
    ];
    expect(entriesOf(sitting('Day 3 - Tuesday'))).toEqual(['4 ~', '5 ~']);
    expect(entriesOf(sitting('2026-02-03 - Session 3 - Claude'))).toEqual(['4 2026-02-03', '5 2026-02-03']);
    expect(entriesOf(sitting('2026-02-03 - Session 3: Parser'))).toEqual(['2 2026-02-03']);
    expect(entriesOf(sitting('Session 3 (last): Parser'))).toEqual(['2 ~']);
  });

  it('chapters and releases of which one is out of order are no days', () => {
    const chapters = ['1.1', '1.2', '1.3', '2.1', '2.2', '1.1', '1.2'].flatMap((chapter) => [
      `## ${chapter}`,
      'Added a rule.',
    ]);
    expect(entriesOf(['# Log', ...chapters]).filter((entry) => !entry.endsWith('~'))).toEqual([]);
  });

  it.each([
    ['spaces in a heading', (size: number) => `## Parser${' '.repeat(size)}x`],
    ['spaces behind a phase', (size: number) => `PHASE 1${' '.repeat(size)}x\nPHASE 2 . DONE${' '.repeat(size)}x`],
    ['lines behind dashes', (size: number) => '— a word\n'.repeat(size / 4)],
    ['dashes behind a day', (size: number) => `2026-02-03 ${'-'.repeat(size)}a`],
  ])('a long text ends: %s', (_what, line) => {
    expect(entriesOf(['# Log', '## 2026-02-03', '- Fixed it', ...line(100_000).split('\n')]).length).toBeGreaterThan(0);
  });
});
