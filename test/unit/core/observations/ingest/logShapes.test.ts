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
      ['3 2026-02-09', '8 2026-02-17'],
    ],
    [
      'items with a time of day alone, under a text that names the day',
      ['# Time log', 'All of it on 1 August 2026, in one day.', '- `12:47` Set up', '- `13:48–15:28` First page'],
      ['3 2026-08-01', '4 2026-08-01'],
    ],
    [
      'fields with names of their own that come again under each subject',
      [
        ...['# Session Log', '## 2026-06-25 — Scaffold', '- Completed: Created the frontend.'],
        ...['- Changed: Added routes.', '- Verified: Paths and syntax.', '## 2026-06-26 — Database'],
        ...['- Completed: Replaced the example.', '- Changed: Added migrations.', '- Verified: It starts.'],
      ],
      ['2 2026-06-25', '6 2026-06-26'],
    ],
    [
      'changes sorted by names, which are no fields',
      [
        ...['# Log', '## 2026-06-25 — Beta', '- Added: a route', '- Changed: the schema', '- Fixed: the login'],
        ...['## 2026-06-26 — Gamma', '- Added: a table', '- Changed: the port', '- Fixed: the logout'],
      ],
      ['3', '4', '5', '7', '8', '9'].map((line) => `${line} 2026-06-2${Number(line) < 6 ? 5 : 6}`),
    ],
    [
      'prompts that are counted, with fields under each',
      [
        ...['# Worklog', '## Entries', '### Prompt 1', '- Prompt: 1', '- Title: Setup', '- Summary: Created the root.'],
        ...['### Prompt 2', '- Prompt: 2', '- Title: Models', '- Summary: Added the models.'],
      ],
      ['3 ~', '7 ~'],
    ],
    [
      'what is for tomorrow, and what was talked about',
      [
        ...['# Tracker', '## Session 1 - 2025-10-08', '### Completed Today ✅', '- Created the layout'],
        ...[
          '### Key Concepts Discussed',
          '- **Slice**: an ordered list',
          "### Tomorrow's Tasks 🎯",
          '- Create the package',
        ],
      ],
      ['4 2025-10-08'],
    ],
    [
      'chapters with letters',
      ['# 进度', '## A. 已完成', '- 修复 2026-08-05 的登录', '## B. 待用户一句话定案', '- 用户 2026-08-17 提过要加'],
      ['3 ~'],
    ],
    [
      'lists under a line that comes again',
      [
        ...['# Session Log', '## Session 1', 'Completed', '- React setup', '- Routing', '', 'Next Session', '- Footer'],
        ...['## Session 2', 'Completed', '', '- Folder structure', '', 'Next Session', '', '- Header'],
      ],
      ['4 ~', '5 ~', '12 ~'],
    ],
    [
      'commits as headings under days with subjects',
      [
        ...['# 工作日志', '## 2026-06-01：雏形', '### a8e3d6e initial agent', '- 搭建页面。'],
        ...['### 80da484 improve mobile layout', '- 调整页面的显示方式。'],
      ],
      ['3 2026-06-01', '5 2026-06-01'],
    ],
    [
      'a table of systems, and fields of the project',
      [
        ...['# 开发进度', '- **项目启动日期**：2025-09-04', '- **当前阶段**：第二阶段', '- **整体完成度**：30%', ''],
        ...[
          '| System | Status | Notes |',
          '|---|---|---|',
          '| Combat | ✅ | Values done |',
          '## 2025-09-05',
          '- 完成登录',
        ],
      ],
      ['10 2025-09-05'],
    ],
    [
      'a day with a subject over changes that are sorted in Chinese',
      [
        '# 变更日志',
        '## [2025-07-10] - 字段命名规范化',
        '### 修改',
        '- 重命名字段',
        '- 更新文档',
        '### 技术优化',
        '- 统一命名规范',
      ],
      ['4 2025-07-10', '5 2025-07-10', '7 2025-07-10'],
    ],
    [
      'phases over tables of tasks, with days or states',
      [
        ...[
          '# Progress',
          '## Phase 1: Start',
          '| Task | Status | Date |',
          '|---|---|---|',
          '| Create it | ✅ Done | 2026-07-29 |',
        ],
        ...[
          '## Phase 2: Core',
          '| # | Section | Status |',
          '|---|---|---|',
          '| 1 | Capture | COMPLETE |',
          '| 2 | Feed | OPEN |',
        ],
      ],
      ['5 2026-07-29', '9 ~'],
    ],
    [
      'numbered headings with a mark behind the number',
      ['# Session', '## OBJECTIVES COMPLETED', '### 1. ✅ Remove the symbols', '**Files Modified:**', '- `src/a.js`'],
      ['3 ~'],
    ],
    [
      'a change of a release that is told',
      [
        '# 更新日志',
        '## v1.3.6',
        '### 人工钻石转换配方',
        '新增人工钻石的加工配方。',
        '',
        '**新增脚本:**',
        '- `scripts/diamond.js`',
      ],
      ['3 ~'],
    ],
    [
      'how far each part is',
      [
        '# 项目进度',
        '## 整体进度',
        '- **架构**: ✅ 100% 完成',
        '- **同步**: 🔄 75% 进行中',
        '- **部署**: ⏳ 0% 待开始',
        '## 2026-02-03',
        '- 修复登录',
      ],
      ['7 2026-02-03'],
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

describe('what readers with the definition in hand agree on', () => {
  it.each<[what: string, text: string, entries: readonly string[]]>([
    [
      'items of a week whose span of days stands in brackets',
      '# 周报\n## 第一周（2月20日-2月26日）\n### 进展\n- 确定了方案\n- 完成了框架\n### 下周计划\n- 部署环境',
      ['4 2026-02-20', '5 2026-02-20'],
    ],
    [
      'a session whose name looks like the end of a span once',
      '# Log\n## 2026-02-03 - Session 3: Parser\n### Completed\n- Added it\n- Fixed it',
      ['2 2026-02-03'],
    ],
    [
      'items under an evening',
      '### 2018/06/11 晚\n- 发布第一版\n### 2018/06/09 晚\n- 开始项目',
      ['2 2018-06-11', '4 2018-06-09'],
    ],
    [
      'items of a counted week in Korean, and none that are to do',
      '### 2021년 4월 11일 - 4월 2주차\n1. 로직을 구현하였다.\n2. 소켓을 공부하였다.\n#### 할 것\n1. 배포를 준비한다.',
      ['2 2021-04-11', '3 2021-04-11'],
    ],
    [
      'days with a short year and who tells them',
      '20.5.21 anna\n> 测试了路由。\n\n20.5.22 anna\n> 编写了首页。\n\n20.5.25 ben\n> 完成了表单。',
      ['1 2020-05-21', '4 2020-05-22', '7 2020-05-25'],
    ],
    [
      'numbered changes of a release without a blank behind the number',
      '## v1.2.0\n\n1、【新增】日志页\n\n2、【修改】样式',
      ['3 ~', '5 ~'],
    ],
    [
      'a numbered session with fields, whatever the words of its subject',
      '# 日志\n## 会话 1 · 立项\n- **请求**：从零开始\n- **完成内容**：\n  - 写了文档\n## 会话 2 · 风格与规范\n- **请求**：选风格\n- **决策**：浅色\n- **完成内容**：\n  - 定稿',
      ['2 ~', '6 ~'],
    ],
    [
      'a session whose subject stands in brackets behind its day',
      '# Log\n## Session 4 — 2026-06-13 (Phase 3: edit the codes)\n### Work Done\n1. **parser** — of addresses\n2. **form** — as a widget',
      ['2 2026-06-13'],
    ],
    [
      'numbered chapters of a work log, whatever their words',
      '# Map - Work Log\n## 1. Project Setup\nCreated a folder.\n## 2. Inspection\nThe file was read.\n## 3. Tile Structure\nTiles have zoom levels.',
      ['2 ~', '4 ~', '6 ~'],
    ],
    [
      'items under the parts of a day',
      '### 2019/7/8\n**上午**：\n\n1. 解决导入问题。\n2. 文档学习。\n\n**下午**：\n\n1. 工作会议。',
      ['4 2019-07-08', '5 2019-07-08', '9 2019-07-08'],
    ],
    [
      'items under what was done of a plain subject below a day',
      '## 2026-05-30\n### 实现阶段\n**完成：**\n- config.js: 全局常量\n- helpers.js: 工具函数',
      ['4 2026-05-30', '5 2026-05-30'],
    ],
    [
      'times alone below a counted day in plain text',
      'Day 1 (June 27):\n\n11:12\n\nThe goals are set.\n\n11:22\n\nThe first step is done.',
      ['3 2026-06-27', '7 2026-06-27'],
    ],
    [
      'paragraphs that each begin with a field for their time',
      '# LOG\n\nTimestamp: 2026-03-06T06:54:00Z\nTask: Made the board\n\nTimestamp: 2026-03-07T09:35:34Z\nTask: Aligned the docs',
      ['3 2026-03-06', '6 2026-03-07'],
    ],
    [
      'items behind arrows',
      '12/07\n\n-> criar o repositório\n-> html e css básico\n\n13/07\n\n-> alterar o banco',
      ['3 2026-07-12', '4 2026-07-12', '8 2026-07-13'],
    ],
    [
      'rows of a table under what is done, in other languages too',
      '## Concluído\n| Módulo | Testes |\n|---|---|\n| Build | — |\n| Log | dez |',
      ['4 ~', '5 ~'],
    ],
    [
      'a numbered label in bold with the labels right behind it',
      '# 开发日志\n## 2025-06-11\n### 主要工作内容\n\n**1. 文档完善**\n\n**引用计数 (Ref.h)**\n- 添加注释\n- 修复拷贝\n\n**断言 (Assert.h)**\n- 记录架构\n\n**2. 渲染模块改造**\n\n**类型系统**\n- 分析类型',
      ['5 2025-06-11', '14 2025-06-11'],
    ],
    [
      'a heading whose first line says that it is done',
      '# Bitácora\n## Investigación externa\n\n✅ **Completada** — nueve de nueve\n\n## Ideas\n\nNinguna todavía',
      ['2 ~'],
    ],
    [
      'lines that are broken by hand below several days',
      '# Logs\n## 4/23\ncreated the model  \ncreated the views\n## 4/22\ncreated the serializer  \ndebugged the names',
      ['3 2026-04-23', '4 2026-04-23', '6 2026-04-22', '7 2026-04-22'],
    ],
    [
      'items under a heading between drawn rules',
      '更新日志\n====\n\n──────────\n1.8 版本更新\n──────────\n\n1. 统一设置页\n2. 新增角色卡片',
      ['8 ~', '9 ~'],
    ],
    [
      'a day whose subject names what all was done of',
      '## 2026-03-01 — Parser v3: All Phases Implemented\n### Context\nIt goes on.\n### Actions\n| # | Action | Result |\n|---|---|---|\n| 1 | Wired it | SUCCESS |',
      ['1 2026-03-01'],
    ],
    [
      'a subject with fields for its day and state, though its last word groups changes',
      '### HTML Report Fixes\n**Date:** 2026-04-28\n**Status:** done\n\n**Summary:**\nResolved bugs:\n\n- Fixed the list\n- Fixed the toggle',
      ['1 2026-04-28'],
    ],
    [
      'lines that a tool wrote between fences',
      '# Log\n```\n2026-07-04 01:55:06 | exit:0 | make a\n2026-07-04 01:55:10 | exit:0 | make b\n```\nThe end.',
      ['3 2026-07-04', '4 2026-07-04'],
    ],
    [
      'commits between fences, and no other code',
      '# Log\n```\n90f97a4 feat: a parser\n23e2583 fix: its dates\n```\n```\n2026-07-04 a row of data\nand text\n```',
      ['3 ~', '4 ~'],
    ],
    [
      'boxes between fences with what is drawn below them',
      '# Tiến độ\n```\n[x] Phase 0: Nền móng\n    ├── Cấu hình\n[ ] Phase 1: Hạ tầng\n    └── Viết mã\n```',
      ['3 ~', '5 ~'],
    ],
    [
      'rows that have a commit each, and not their numbered heading',
      '# 开发日志\n## 一、总表\n| 版本 | 提交 | 一句话 |\n|---|---|---|\n| v0.1.0 | `3ebbd20` | 初版 |\n| v0.2.0 | `66419ab` | 增强 |',
      ['5 ~', '6 ~'],
    ],
    [
      'what is done where a state is told',
      '# 学习进度\n## 1. 当前状态\n- 主题：并发\n- 已完成：\n  - 添加了文件\n  - 推送到仓库\n- 尚未完成：\n  - 测试目录',
      ['5 ~', '6 ~'],
    ],
    [
      'ticked lines without bullets, in bold or with a list below each',
      '# Progress\n## Completed Work\n✅ Backend scaffolded\n✅ **Docker removed**\n✅ **Tracker planned**\n  - the plan\n  - the schema\n✅ Schema analysed',
      ['3 ~', '4 ~', '5 ~', '8 ~'],
    ],
    [
      'a day with its time of day once',
      '# Log\n## 2026-03-29 23:20:53\n- **Version**: one scheme\n- **Tool**: two rounds\n## 2026-03-28 10:00\n- **Repo**: tidied',
      ['2 2026-03-29', '5 2026-03-28'],
    ],
    [
      'files under what is done, and not elsewhere',
      '# Log\n## 2026-07-09\nCompleted:\n- STATE.md\n- ROADMAP.md\n\nNext:\n- docs/LAYOUT.md',
      ['4 2026-07-09', '5 2026-07-09'],
    ],
    [
      'a day about a numbered protocol once',
      '# Log\n## 2026-08-19 — Protocol 0: Initialization\n\n**Done**\n- Inspected the repository.\n- Created the folders.\n\n**Errors hit:** none.',
      ['2 2026-08-19'],
    ],
    [
      'items behind a sentence about a release without a subject',
      '# 更新日志\n## v0.2.0 — 2026-08-09\n\n第一份稿件通过统一入口生成。\n\n- 逐页保存了内容。\n- 新增回归测试。',
      ['6 2026-08-09', '7 2026-08-09'],
    ],
    [
      'numbered headings below a day with a subject and a sentence',
      '# 工作日志\n## 2026年2月28日 - 环境优化\n\n今天主要进行了重构。\n\n### 1. 架构重构\n- 更新了结构\n### 2. 部署优化\n- 重写了配置\n### 下一步计划\n- 推进页面',
      ['6 2026-02-28', '8 2026-02-28'],
    ],
    [
      'boxes below the parts of a marked heading',
      '# Progress\n## Completed\n### Phase 1: Academy — COMPLETE ✓\n#### Framework\n- [x] Wizard\n- [x] Chapters\n#### Lessons\n- [x] First',
      ['5 ~', '6 ~', '8 ~'],
    ],
    [
      'dated days that are about trying to do something',
      '# Dev Log\n### 2026-01-13 - Attempting to fix the client\n- Attempted to fix the setup\n- Added a function\n### 2026-01-12 - Working on events\n- Spent time debugging\n- Added a test',
      ['3 2026-01-13', '4 2026-01-13', '6 2026-01-12', '7 2026-01-12'],
    ],
    [
      'a counted talk once, with all that was decided in it',
      '# 工作日志\n## 2026-05-25 第一次讨论\n### 确定方向\n- 选定赛题一\n### 核心约束\n载客量要大。',
      ['2 2026-05-25'],
    ],
    [
      'a session of a release with older releases named in what follows',
      '# 更新日志\n## v1.0.0 — 统一版（2026-06-20）\n### 深度集成（v0.3.0）\n- 接入模型\n### 界面修复（v0.1.0）\n- 修复布局',
      ['2 2026-06-20'],
    ],
    [
      'numbered changes in bold under days that count rounds',
      '**更新日志**\n\n**2026-07-23 (第三十六轮更新)**\n\n**第127条 - 代码复查优化**\n\n- 删除死代码\n\n**2026-07-22 (第三十五轮更新)**\n\n**第126条 - 出生地改为城镇**\n\n- 修改函数',
      ['5 2026-07-23', '11 2026-07-22'],
    ],
    [
      'numbers that go on from group to group below a release',
      '# 更新日志\n## v1.2.0 — 搜索优化\n### 布局\n#### 1. 左右结构\n- 原布局改为双栏\n### 搜索\n#### 2. 多标签\n- 支持多个词\n#### 3. 提示\n- 新增提示',
      ['4 ~', '7 ~', '9 ~'],
    ],
    [
      'one day as the title, with sides below',
      '# Day 1 – Project Initialization\n## Repository\nCreated the repository.\n## Clone\nCloned it to the machine.',
      ['1 ~'],
    ],
    [
      'what was done and the boxes of a day without a subject',
      '# 日志\n## 2026-08-20（D0 · 第 1 天）\n**完成**\n- 需求确认完毕\n- 方案定稿\n\n**用户待办**\n- [ ] 准备仓库',
      ['4 2026-08-20', '5 2026-08-20', '8 2026-08-20'],
    ],
    [
      'releases that a quotation tells',
      '# 更新日志\n## v1.4.3\n> **更新内容**：开启压缩。\n## v1.4.2\n> **更新内容**：修复回弹。',
      ['2 ~', '4 ~'],
    ],
    [
      'no plans beside what was done on a day',
      '# 日志\n### 2022-06-23\n#### 已完成：\n- 绘制流程图\n#### 继续：\n- 更新测试用例\n#### 新工作：\n- 上手搭建\n### 2022-06-24\n- 学习协议\n- 预期：完成日志',
      ['4 2022-06-23', '10 2022-06-24'],
    ],
    [
      'days of the week under a week',
      '# Log\n## Week 2 [30 May 2022 - 4 June 2022]\n### Monday\n- Learning MongoDB\n- Present the ideas\n### Tuesday\n- Debugging the service\n## Week 3 [6 June 2022 - 11 June 2022]\n### Monday\n- Connect to the API',
      ['4 2022-05-30', '5 2022-05-30', '7 2022-05-30', '10 2022-06-06'],
    ],
    [
      'a session with the time that it took',
      '# Session Log\n## Session 1 — 2026-02-19\n**Duration:** ~60 min\n**Focus:** the build\n\n### Completed\n- Designed the system\n- Connected the tool',
      ['2 2026-02-19'],
    ],
    [
      'changes sorted below the introduction of a day',
      '# Changelog\n## [2026-08-16] Fleet machinery\nInstantiated the machinery, no source.\n### Added\n- **loops.yaml:** the truth\n- **fleet.yml:** a sweep\n### Changed\n- **Buffering:** reveal flags',
      ['5 2026-08-16', '6 2026-08-16', '8 2026-08-16'],
    ],
    [
      'no list that a line above says is to do',
      '---------- 2025.10.18 ----------\n- 初始化前端项目\n\n后续功能开发\n- 批量操作\n- 监控\n\n---------- 2025.10.19 ----------\n- 配置基本信息',
      ['2 2025-10-18', '9 2025-10-19'],
    ],
    [
      'no state of parts, some of which are open',
      '# 项目进度\n## 总体状态\n项目主体已完成。\n\n- 依据：已完成\n- 自动测试：76项全部通过\n- 复审：进行中\n## 已完成\n### 1. 基础\n- 已建立文件。\n### 2. 核验\n- 已核实计划。',
      ['9 ~', '11 ~'],
    ],
    [
      'marked phases over boxes of parts that are all done',
      '# Progress\n## Phase 1: Foundation ✅ COMPLETED\nSee before.\n## Phase 2: Authentication ✅ COMPLETED\n### Completed Tasks\n- [x] Hashing\n- [x] Tokens\n### Files Created\n- `src/a.ts`',
      ['2 ~', '4 ~'],
    ],
    [
      'rows of work that is done by the day in another column, and no metrics',
      '# Progress\n| Phase | Status | Target |\n|---|---|---|\n| Audit | Complete | 2026-03-20 |\n| Data | Complete | 2026-03-21 |\n\n| 指标 | 数值 | 更新日期 |\n|---|---|---|\n| 访问 | 31 | 2026-07-18 |\n| 跳出率 | 60% | 2026-07-18 |',
      ['4 2026-03-20', '5 2026-03-21'],
    ],
    [
      'boxes and subjects of a week whose hours are told, and not the hours',
      '## Week 3\n- Duration: 5 days\n- [x] Parser\n- [ ] Lexer\n## Week 4\nHours: 40\n### Parser\nAdded the parser.\n### Lexer\nFixed tokens.',
      ['3 ~', '4 ~', '7 ~', '9 ~'],
    ],
    [
      'a finished row by the day above it or by its end, and not by when it was due or began',
      '# Log\n| Task | Start | End | Status |\n|---|---|---|---|\n| Parser | 2026-01-02 | 2026-01-09 | done |\n## 2026-01-05\n| Task | Due | Status |\n|---|---|---|\n| Lexer | 2027-02-01 | done |',
      ['4 2026-01-09', '8 2026-01-05'],
    ],
    [
      'what was done behind a plan of the same day',
      '## 2026-01-02\nGoals\n\n- write docs\n\nWorked through the afternoon, all is tested.\n\n- Added the parser\n- Fixed the lexer\n\nAccording to the plan\n- Removed the cache',
      ['4 2026-01-02', '8 2026-01-02', '9 2026-01-02', '12 2026-01-02'],
    ],
    [
      'parts that tell what was done, though a word looks like a state',
      '# Dev log\n## Overview\n- Parser: opened the grammar to plugins\n- Lexer: fixed a crash\n- Docs: wrote them',
      ['3 ~', '4 ~', '5 ~'],
    ],
    [
      'dated rows about what was measured',
      '# Log\n| Metric | Date | Notes |\n|---|---|---|\n| p95 | 2026-01-02 | Added a cache |\n| p99 | 2026-01-03 | Added a queue |',
      ['4 2026-01-02', '5 2026-01-03'],
    ],
    [
      'drawn marks below a number where some are open',
      '# Log\n## 2026-01-02\n### 1. Parser\n- ✅ All of it\n### 2. Lexer\n- ✅ Tokens\n- ❌ The bench',
      ['3 2026-01-02', '6 2026-01-02', '7 2026-01-02'],
    ],
    [
      'kinds of changes below days that all have one name',
      '# 更新\n## 2024.07.25 —— 基本功能更新：\n* 新增功能：\n  * 新增保存文档\n* 优化功能：\n  * 删除接口，直接删除\n  * 上传接口，路径增加编号\n## 2024.07.30 —— 基本功能更新：\n* 修复问题：\n  * 修复了返回为空\n* 优化功能：\n  * 优化了显示',
      ['4 2024-07-25', '6 2024-07-25', '7 2024-07-25', '10 2024-07-30', '12 2024-07-30'],
    ],
    [
      'a session about planning that has fields',
      '# Session Log\n## Session 0 — Architecture & Planning\n**Date:** 2026-05-15\n**Status:** Complete\n### What was done\n- Defined the layers\n- Chose the tools\n## Session 1 — VM Preparation\n**Date:** 2026-05-18\n**Host:** EC2\n### Completed\n- Host named\n- Clock set',
      ['2 2026-05-15', '8 2026-05-18'],
    ],
    [
      'paragraphs that begin with their phase',
      'Phase 0 audit: Downloaded the tools and the sources.\n\nPhase 1 audit: confirmed the types and the versions.\n\nPhase 2 audit: verified the names and the models.',
      ['1 ~', '3 ~', '5 ~'],
    ],
    [
      'numbered headings over drawn marks',
      '# 开发进度\n## ✅ 已完成（全部）\n### 1. 需求与设计\n- 已阅读附件\n### 2. 测试验证\n- ✅ 离线验证通过\n- ✅ 冒烟通过',
      ['3 ~', '5 ~'],
    ],
    [
      'rows whose time nobody looked up',
      '# 日志\n| 日期 | commit | 一句话 |\n|---|---|---|\n| 2026-09-13 21:5x | `b3594a0` | 点赞改成一场一账 |\n| 2026-09-14 0x:xx | `b30e4d9` | 限参加过的场次 |\n| 2026-09-14 08:34 | `3ad7c9e` | 初版 |',
      ['4 2026-09-13', '5 2026-09-14', '6 2026-09-14'],
    ],
  ])('%s', (_what, text, entries) => {
    expect(entriesOf(text.split('\n'))).toEqual(entries);
  });

  it('no entry is called by how long it took, or by a day', () => {
    const text =
      '# Log\n## Session 3 (2026-01-02)\n**Duration:** 2h\n\n- Added the parser\n## Rows\n| Phase | Status | Target |\n|---|---|---|\n| Audit | Complete | 2026-03-20 |';
    const { drafts } = readRunLog('JOURNAL.md', text, { blame: new Map(), file: '2026-07-01' });
    expect(drafts.map(({ summary }) => summary)).toEqual(['Added the parser', 'Audit → Complete']);
  });

  it('cells of many blanks take no longer than others', () => {
    const row = `| a${' '.repeat(100_000)}b | parser done |`;
    const { drafts } = readRunLog(
      'JOURNAL.md',
      `# Log\n| Date | Task |\n|---|---|\n${row}\n| 2026-02-03 | lexer done |`,
      {
        blame: new Map(),
        file: '2026-07-01',
      },
    );
    expect(drafts.map(({ ts }) => ts)).toEqual(['2026-02-03 00:00:00']);
  });

  it('a column of days and one of times of day are one time, and the end of a span is kept', () => {
    const rows = [
      '| Time | Date | Task |\n|---|---|---|',
      '| 09:15 | 2026-12-31 | Shipped docs |\n| 11:15 | | Shipped site |\n| - | 2027-01-01 | Shipped app |',
      '| 14:30 - 15:00 | 2027-01-02 | Shipped lib |',
    ].join('\n');
    const { drafts } = readRunLog('JOURNAL.md', `# Log\n${rows}`, { blame: new Map(), file: '2026-07-01' });
    expect(drafts.map(({ ts, precision }) => `${ts} ${precision}`)).toEqual([
      '2026-12-31 09:15:00 minute',
      '2026-12-31 11:15:00 minute',
      '2027-01-01 00:00:00 day',
      '2027-01-02 14:30:00 minute',
    ]);
    expect(drafts[3]?.detail).toContain('Time: 14:30 - 15:00');
  });

  it('of two columns of times of day the first is when it was', () => {
    const table =
      '| Time | Updated | Task |\n|---|---|---|\n| 09:15 | 11:15 | Shipped docs |\n| 10:00 | 12:30 | Shipped app |';
    const { drafts } = readRunLog('JOURNAL.md', `# Log\n## 2026-02-03\n${table}`, {
      blame: new Map(),
      file: '2026-07-01',
    });
    expect(drafts.map(({ ts }) => ts)).toEqual(['2026-02-03 09:15:00', '2026-02-03 10:00:00']);
  });

  it('a table of thousands of columns is text, and read once', () => {
    const wide = '|a'.repeat(20_000);
    expect(entriesOf(['# 2026-02-03', wide, wide.replaceAll('a', '-'), ...Array(20_000).fill('|a|')])).toEqual([
      '1 2026-02-03',
    ]);
  });

  it('a plan below a day is none, though its verbs are those of deeds', () => {
    expect(entriesOf(['# Log', '## 2026-02-03 — Next steps', '- Add docs', '- Fix the parser'])).toEqual([]);
  });
});

describe('the definition, clause by clause', () => {
  it.each<[what: string, text: string, entries: readonly string[]]>([
    [
      'a day with a subject, whatever its last word is in a heading without a day',
      '# Journal\n## 2026-02-03 — Turning reminders\n### Goal\nTell the crew.\n### Result\nA list.\n## 2026-02-05 — 呼叫升级规则\n三分钟无人应答就通知护士长。\n## 2026-02-06: Feedback from the school\n> Too low.\n\nRe-recorded four letters.',
      ['2 2026-02-03', '7 2026-02-05', '9 2026-02-06'],
    ],
    [
      'a day with a subject once, where text stands behind its list',
      '# Notes\n## Feb 3, 2026 – Masts\n- brass wire, 0.3 mm\n- two turns, not three\n\nThey bend a little.',
      ['2 2026-02-03'],
    ],
    [
      'a session with a day and a time of its own once',
      '# Log\n## Session 8 — 2026-02-03 22:15\n### Done\n- patched the scanner\n- ran 500 ballots\n### Next\n- speed',
      ['2 2026-02-03'],
    ],
    [
      'sessions with a subject in other languages, with labels',
      '# Sitzungen\n## Sitzung 4: Heizkosten\n**Ziel:** Verbrauch pro Wohnung.\n**Ergebnis:** Alle Zähler gelesen.\n## Sitzung 5: Brief\n**Ziel:** Ein Brief.\n**Ergebnis:** Eine Seite.',
      ['2 ~', '5 ~'],
    ],
    [
      'versions of one number with a subject and its sides',
      '# Releases\n## v12 — Faster scoring\n### Background\nScores came late.\n### How it works now\nIn chunks.\n## v11 — Duets\n### Background\nTwo singers.',
      ['2 ~', '7 ~'],
    ],
    [
      'headings with marks before their subjects',
      '# 进度\n## ✅ 图案库\n收了四百个图案。\n## ✅ 导出\n自动补连接点。',
      ['2 ~', '4 ~'],
    ],
    [
      'no phases of a plan',
      '# 教材平台 开发计划\n## 第一阶段：登录\n- 使用学号登录\n## 第二阶段：发布\n- 扫描书号',
      [],
    ],
    [
      'records of what was changed and why',
      '# 变更记录\n## 2026-02-03\n- 改动：间隔改为 15 秒\n- 原因：看不到温升\n- 改动：阈值按种类配置\n- 原因：不能共用',
      ['3 2026-02-03', '5 2026-02-03'],
    ],
    [
      'headings whose first field says how it went, and not those that are planned',
      '# Log\n## 2026-02-03\n### Beacons\nStatus: partial\nWorks in the east wing.\n# Tasks\n### F-01 Fixation\n- Status: fixed\n- Severity: high\n\nThe id is renewed.\n### F-02 Errors\n- Status: planned\n- Severity: low\n\nTo be hidden.',
      ['3 2026-02-03', '7 ~'],
    ],
    [
      'a mark in brackets, in Chinese too, and with a share',
      '# 进度\n## 报修流转（已完成）\n- 超时自动升级\n## Foundation (100% Complete)\n- Base classes',
      ['2 ~', '4 ~'],
    ],
    [
      'headings with the time that they took',
      '# Time log\n## Kiosk mode\nTime spent: 2h\n\nThe pointer is hidden.\n## Watchdog\nTime spent: 3h\n\nReboots after two missed beats.',
      ['2 ~', '6 ~'],
    ],
    [
      'what was done in Italian, and no files',
      '# Riepilogo\n## Completato\n- Importate le schede\n- Aggiunta la ricerca\n## Da fare\n- Etichette\n## File modificati\n- `search/index.py`',
      ['3 ~', '4 ~'],
    ],
    [
      'what was done under a label, and not what was not',
      'The recap.\n\n**Accomplished:**\n1. Spectrogram cache\n2. Matrix page\n\n**Not accomplished:**\n1. Mobile build',
      ['4 ~', '5 ~'],
    ],
    [
      'drawn boxes with blank lines between them',
      '# 清单\n☑ 用户注册\n\n☑ 邮箱验证\n\n☐ 第三方登录',
      ['2 ~', '4 ~', '6 ~'],
    ],
    [
      'bold lines that count',
      '# 复刻日记\n\n**第1篇：指令集**\n\n全部通过。\n\n**第2篇：背景**\n\n终于不抖了。',
      ['3 ~', '7 ~'],
    ],
    [
      'lines and items that begin with a state',
      '# Track\nB1: DONE — detector recalibrated\nB2: BLOCKED — vendor is silent\n## Pages\n- DONE: pages exported\n- FAILED: history\n## 缺陷\n【已修复】导航栏错位\n【已关闭】无法复现',
      ['2 ~', '3 ~', '5 ~', '6 ~', '8 ~', '9 ~'],
    ],
    [
      'no states of parts',
      '# Status\n| Part | State |\n|---|---|\n| Frame | done |\n\n| Category | Status |\n|---|---|\n| Database | ✅ Complete |',
      [],
    ],
    [
      'short days behind a weekday',
      '# Worklog\n## Tue 02/03\n- Tracked it\n## Wed, 2/4\n- Rebased it',
      ['3 2026-02-03', '5 2026-02-04'],
    ],
    [
      'a moment once, with the lines of a tool below it',
      '# Runs\n## 2026-05-01T14:02Z\nReproduced it.\n```\n2026-05-01 14:00:58 waiting for B\n2026-05-01 14:00:59 waiting for A\n```\nThe end.',
      ['2 2026-05-01'],
    ],
    [
      'changes of a release with a subject, however few',
      '# News\n## 2026-03-01 — Spring release\n### Added\n- Barcode scan\n### Fixed\n- Sync loop',
      ['4 2026-03-01', '6 2026-03-01'],
    ],
    [
      'headings behind a number sign',
      '# LOG\n## #11 Stuck lid\nThe horn was off.\n## #12 Wrong code\nIt compared three.',
      ['2 ~', '4 ~'],
    ],
    [
      'a marked heading with its boxes once, but for what is open',
      '# Progress\n## Week 1: Foundation — DONE\n- [x] Schema\n- [x] Login\n- [ ] Deploy\n## Week 2: Form — DONE\n- [x] Wizard',
      ['2 ~', '5 ~', '6 ~'],
    ],
    [
      'what has been built, by the names of its parts',
      '# App — Progress\n## What has been built\n### Backend\n- **Database layer** (`db`)\n  - migrations\n- **Sessions** (`session`)\n  - a store',
      ['4 ~', '6 ~'],
    ],
    [
      'an item that is a day with its time once, and below a bare one its items',
      '# 更新日志\n* 2025-11-11\n    1. 添加入口\n    2. 升级前端\n* 2025-10-18 14:30:00\n    1. 重构加载\n    2. 移除依赖',
      ['3 2025-11-11', '4 2025-11-11', '5 2025-10-18'],
    ],
    [
      'days of two digits a part before a time',
      '# Log\n## 05-08-26 2:39 AM\nI need a program.\n## 05-08-26 2:48 AM\nStarted it.',
      ['2 2026-05-08', '4 2026-05-08'],
    ],
    [
      'phases counted in Chinese, with their labels',
      '# 开发日志\n## 阶段一：转换与集成\n**目标**:\n* 转换模型\n\n**主要变更**:\n1. **文档更新**\n   * 添加了说明\n## 阶段二：调试画面\n**目标**:\n* 找到原因\n\n**主要变更**:\n1. **依赖更新**',
      ['2 ~', '9 ~'],
    ],
    [
      'rows of what was done, and not their heading',
      '# 工作日志\n## 一、走过的路\n| 阶段 | 干了什么 |\n|---|---|\n| 起名 | 最初的名字 |\n| 收尾 | 修复滚动 |',
      ['5 ~', '6 ~'],
    ],
    [
      'text under bold lines with numbers, each once',
      '# Progress\n## 2026-02-03\n**1. Parser**\nWrote the parser.\n\n**2. Lexer**\nFixed the lexer.',
      ['3 2026-02-03', '6 2026-02-03'],
    ],
    [
      'links that say a day and a subject, and none that say a day alone',
      '# Records\n## Studies\n- [2026-09-28: Early flight](a.md)\n- [2026-09-27](b.md)\n- [Overview](c.md)',
      ['3 2026-09-28'],
    ],
    [
      'a subject with a field in bold above its list',
      '# Log\n## Mar 17, 2026\n### Run budget\n**Milestone: guardrails made explicit**\n\n- Added a prompt.\n- Fixed the limit.\n\n### Second provider\n**Milestone: another path added**\n\n- Added a provider.',
      ['3 2026-03-17', '9 2026-03-17'],
    ],
    [
      'a phase that is done, dated by its field, once with the rows of its table',
      '# 开发进度\n## ✅ 阶段1：初始化 (100% 完成)\n**完成时间**：2026-04-07\n\n| 任务 | 状态 | 完成时间 |\n|---|---|---|\n| 创建项目 | ✅ | 2026-04-07 |\n| 配置工具 | ✅ | 2026-04-07 |',
      ['2 2026-04-07'],
    ],
    [
      'rows of a timeline below a phase with the days that it took',
      '# Log\n## Phase 0: Gap (2026-03-19 ~ 2026-03-20)\n### Timeline\n| Date | Milestone |\n|---|---|\n| 03-19 | Metrics implemented |\n| 03-20 | Renderer installed |',
      ['2 2026-03-19', '6 2026-03-19', '7 2026-03-20'],
    ],
    [
      'tasks that begin with their state, below how things stand',
      '# Handoff\n## Current State\n- **TASK-001 Complete:** Repo builds.\n- **TASK-002 Complete:** Schemas pass.\n- Uses Node 20.',
      ['3 ~', '4 ~'],
    ],
    [
      'a day behind a mark, and the form of an entry not',
      '# Log\n### YYYY-MM-DD HH:MM TZ\n- File: `path`\n- Change: what\n## Boxes\n- [x] P01 @approved 2026-09-28 (IDE)\n- [x] P02 @approved 2026-09-29 (IDE)',
      ['6 2026-09-28', '7 2026-09-29'],
    ],
    [
      'a meeting with its day in brackets, and items of a day and before',
      '# Log\n### Meeting 1: [November 2, 2023]\n**Attendees:**\n- [Ann Lee]\n\n**Accomplishments:**\n- [Drafted parts]\n## v1 — 2026-06-12 及之前\n- 初始版本\n- 数据图表',
      ['2 2023-11-02', '9 2026-06-12', '10 2026-06-12'],
    ],
    [
      'days that come first, as one of them tells, in headings, items and tables',
      '# Log\n## 13/02/2026\n- thirteenth\n## 03/02/2026\n- third\n\n| Date | What |\n|---|---|\n| 04/02/2026 | row done |\n## Later\n- 05/02/2026 fixed the lexer',
      ['3 2026-02-13', '5 2026-02-03', '9 2026-02-04', '11 2026-02-05'],
    ],
    [
      'months that come first, where no day tells otherwise',
      '# Log\n## 03/02/2026\n- second\n## 03/14/2026\n- fourteenth',
      ['3 2026-03-02', '5 2026-03-14'],
    ],
    [
      'versions that a hyphen parts from their subject',
      '# Changelog\n## v099 - Team play\nTeams can be made now.\n### Server\n- Added the lobby\n## v098 - Names\nNames are unique.\n### Server\n- Fixed the check',
      ['2 ~', '6 ~'],
    ],
    [
      'a subject with a day and fields of its own, once',
      '# Log\n## 2026-09-25 · dev run: does it run?\n- **Command:** `run --folds 2`\n- **Result:** all 14 arms finished.\n- **Found:** weights were missing.\n- **Decided:** balanced weights.\n## 2026-09-25 · crash in the worker\n- **Symptom:** the worker died.\n- **Isolated:** every stage ran in separate probes.',
      ['2 2026-09-25', '7 2026-09-25'],
    ],
    [
      'boxes under what is done, dated in a remark',
      '# 开发进展\n## ✅ 已完成（开源版 v1.1 · 2026-09-01）\n### 边界\n- [x] 剥离推理\n- [x] 归一实体\n### 引擎\n- [x] 统一命令',
      ['4 2026-09-01', '5 2026-09-01', '7 2026-09-01'],
    ],
    [
      'lines that begin with their state in bold, and links within the page not',
      '# Work Log\n- [2026-01-02 — Session](#a)\n## Integration Status\n- **Completed:** Build targets.\n- **Resolved:** Launcher path.\n- Uses Node 20.',
      ['4 ~', '5 ~'],
    ],
    [
      'a subject of a day once, where text follows its list',
      '# Log\n## 2026-09-09 — recovery\n- Reproduced the failure.\n- Added a check.\n\nEvidence: all tests passed.',
      ['2 2026-09-09'],
    ],
    [
      'a time with its subject under a day',
      '# 日志\n## 2026-02-22\n### 04:35 - 初始化\n- 搭建框架\n- 创建队列\n### 05:10 - 部署\n- 修复脚本',
      ['3 2026-02-22', '6 2026-02-22'],
    ],
    [
      'rows of a first column of days that has no name',
      '|  | Ann | Ben |\n|---|---|---|\n| 4-19 | Wrote the map | |\n| 4-20 | | Drew the sun |\n| 4-26 | Fixed the sun | Music |',
      ['3 2026-04-19', '4 2026-04-20', '5 2026-04-26'],
    ],
    [
      'numbered subjects of what is done, whatever they are called, and no open work',
      '# Devlog\n## Work Completed\n### 1. Pages\n- Built the root page.\n### 2. Planning\n- Wrote the plan.\n## Open work\n1. **Publish the screen.** Scopes differ.',
      ['3 ~', '5 ~'],
    ],
    [
      'paragraphs that begin with their day in bold',
      '# Notebook\n## Results\n**Day 1 — harness.** Built the shared base.\n\n- It took one request.\n\n**Day 2 — contracts.** Wrote 49 tests.',
      ['3 ~', '7 ~'],
    ],
    [
      'a repair without a day, told by its sides',
      '# 修复记录\n## 2024年修复记录\n### 枚举错误修复\n**问题描述：**\n- 启动时出现错误\n\n**解决方案：**\n1. 将 A 替换为 B\n\n**状态：**\n- ✅ 错误已解决',
      ['3 ~'],
    ],
    [
      'a group with a number among marked subjects with numbers',
      '# Notes\n## 1. Pages ✅\n- Built it.\n## 2. Forms ✅\n- Built them.\n## 3. Charts ✅\n- Drew them.\n## 4. Additional Fixes\n- Fixed the import.',
      ['2 ~', '4 ~', '6 ~', '8 ~'],
    ],
    [
      'headings with their commit, and no table of an API or of contents',
      '# Notes\n[2024-02-25](#a) - Opening\n## Changelog\n### Menu icon (`90e1aa5`)\n- Added assets\n- Falls back to a symbol\n### Hotkeys (`2c6e92f`)\n- **Formatter** — key codes\n## Endpoints\n| Endpoint | Description | Status |\n|---|---|---|\n| `/login` | User login | ✅ Implemented |',
      ['4 ~', '7 ~'],
    ],
    [
      'marked subjects with numbers under a marked phase',
      '# 记录\n## 阶段零：统一 ✅\n### 0.1 统一署名 ✅\n全部收尾。\n### 0.2 统一命名 ✅\n全部改名。',
      ['3 ~', '5 ~'],
    ],
    [
      'what is done among what is in progress, and what changes include',
      '# Log\n## In Progress\n- Review of the API.\n- **[DONE]** Stage 3: the domain\n## 2026-09-20\nChanges include:\n- waits for all slaves',
      ['4 ~', '7 2026-09-20'],
    ],
    [
      'subjects with a mark before them, and no crosses under a plan',
      '# Notes\n## 🚀 **Phase 1: Setup**\n### ✅ **Project creation**\n- Created folders\n### ✅ **Voice support**\n- Integrated voice\n## What is left to build\n- ❌ Add logging\n- ❌ Add tests',
      ['3 ~', '5 ~'],
    ],
    [
      'boxes under what works, and no rows of an overview',
      '# 进度\n## What currently works ✅\n- ✅ Login built\n- ✅ Search built\n## 修复概览\n| 编号 | 描述 | 状态 |\n|---|---|---|\n| P0 | 状态为空 | ✅ 已修复 |',
      ['3 ~', '4 ~'],
    ],
    [
      'ticked lines above lists, and no legend of states',
      '# Progress\n\n✓ Mode switch\n\n- Settings completed\n\n✓ API server\n\n- Handlers implemented\n\n## Format\n- ✅ `DONE` — completed\n- ❌ `BLOCKED` — waiting',
      ['3 ~', '7 ~'],
    ],
    [
      'what is not released yet, in Chinese, and a day that is today',
      '# 更新日志\n## [未发布]\n### 新增\n- 拆分文档\n### 改进\n- 重构导航\n## 2026-05-24 (today)\n- Removed the bean\n- Added the probe',
      ['4 ~', '6 ~', '8 2026-05-24', '9 2026-05-24'],
    ],
    [
      'labels with their state, and boxes below a phase with a text',
      '# Log\n## Current TODO\n**Ingestion** ✅ DONE\n- Fix shipped\n\n## 阶段 0 — 验证\n\n**目标：** 跑通链路\n\n### 第一优先级\n- [x] 控件树\n- [ ] 截屏',
      ['3 ~', '11 ~', '12 ~'],
    ],
    [
      'items under what a day sums up, and days that are written otherwise where days come first',
      '# L\n## 2026-02-04 今日工作汇总\n- 完成了解析器\n- 修复了登录\n## More\n- 13/02/2026: a\n- 03/02/2026: b\n- 2 March 2026: c',
      ['3 2026-02-04', '4 2026-02-04', '6 2026-02-13', '7 2026-02-03', '8 2026-03-02'],
    ],
    [
      'items that begin with a link, and no rules that explain a state',
      '# L\n## 2026-02-03\n- [Parser](#parser): fixed the null check\n- [PR #12](#pr-12) merged\n## Rules\n- **Done:** means that tests pass\n- python3 failed: use python\n## Next steps\n- **Completed:** to be used',
      ['3 2026-02-03', '4 2026-02-03'],
    ],
    [
      'rows of work on routes under a day, what a day found and decided, and no column of versions',
      '# L\n|  | Node |\n|---|---|\n| 1.2 | yes |\n| 2.1 | no |\n| 3.4 | no |\n## 2026-02-03\n| Route | Work done | Status |\n|---|---|---|\n| /login | Added the form | done |\n## 2026-02-04\n- Decided: use sqlite\n- Found: a bug',
      ['10 2026-02-03', '12 2026-02-04', '13 2026-02-04'],
    ],
    [
      'a day that nobody filled in',
      '# Dev Journal\n## 2024-12-XX\n- Aligned the paths.\n- `ingest` now labels its mode.',
      ['3 ~', '4 ~'],
    ],
    [
      'indented lines right below a day, one of them in two lines',
      '2019.04.09\n\tChanged the fish\n\tAdded a second kind of food with its levels and moved what they have\n\tin common into one class\n\tFixed the pause\n\n2019.04.10\n\t增加了目标分数\n\t添加图标',
      ['2 2019-04-09', '3 2019-04-09', '5 2019-04-09', '8 2019-04-10', '9 2019-04-10'],
    ],
    [
      'labels with a mark before them, under what works',
      '# Progress\n## What works\n✅ **Price lookup**\n- Prices by city\n- Prices by date\n\n✅ **Caching**\n- Distances\n- Costs',
      ['3 ~', '7 ~'],
    ],
    [
      'lines that begin with what kind of change they are, below a box too',
      '# 更新日志\n### v0.1.2 更新\n- [x] 完善其余内容\n【新增】后台运行的脚本\n【添加】缓存模块\n### v0.1.1 更新\n【修改】时间限制\n【修复】闪退',
      ['3 ~', '4 ~', '5 ~', '7 ~', '8 ~'],
    ],
    [
      'subjects under what was accomplished, and a moment whose parts have drawn marks',
      '# Handoff — 2026-05-12\n## Accomplishments\n### Drift fix\n- Corrected the path\n- Rebuilt it\n### Push to GitHub\n- The remote was set already\n## Security Fixes (8:25 AM)\n- ✅ Redacted the keys\n- ✅ Rotated them',
      ['3 2026-05-12', '6 2026-05-12', '8 2026-05-12'],
    ],
    [
      'paragraphs that begin with a sentence in bold, below a day',
      '# Sessions\n\n## 2026-07-06\n\n**Backend recovery.** It was suspended; set up a new one.\n\n**URL migration.** Updated all references.\nIt took long.\n\n**CORS bug.** Traced to a slash and fixed.',
      ['5 2026-07-06', '7 2026-07-06', '10 2026-07-06'],
    ],
  ])('%s', (_what, text, entries) => {
    expect(entriesOf(text.split('\n'))).toEqual(entries);
  });
});
