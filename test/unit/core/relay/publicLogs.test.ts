import { describe, expect, it } from 'vitest';
import { compactRelay } from '../../../../src/core/relay/compactRelay';
import { readLedger } from '../../../../src/core/relay/ledger';
import { ESSENTIALS } from '../../../../src/core/relay/relayContext';

/**
 * Shapes of status files that multi-agent repositories publish (states of a harness, handoffs, ledgers, reports of
 * workers), each cut to a few fields and with values of its own, where a controller puts them into a relay log.
 */
interface PublicLog {
  readonly what: string;
  readonly log: Readonly<Record<string, unknown>>;
  /** Lines of the summary that say what the log has: every other line says that it is missing. */
  readonly said: readonly string[];
  /** Places of entries that are left, by list. */
  readonly left?: Readonly<Record<string, readonly number[]>>;
  /** Steps of the ledger and their states. */
  readonly steps?: readonly string[];
}

const LOGS: readonly PublicLog[] = [
  {
    what: 'a state of a harness, with everything at its top',
    log: {
      schema_version: '3.0',
      goal: '排队超过 20 分钟时通知',
      status: 'planning',
      current_agent: 'Planner',
      next_agent: 'Architect',
      todo: ['limits', 'survey of the API'],
      done: [],
      blocked: true,
      blocked_reason: 'no token for the runner',
      retry_count: 0,
    },
    said: ['Goal: 排队超过 20 分钟时通知'],
  },
  {
    what: 'a loop of planner, reviewer and developer as route',
    log: {
      goal: 'Close the round of reviews',
      constraints: ['no push'],
      current_blockers: [],
      controller_route_summary: {
        active: false,
        mode: 'manual',
        current_task_id: null,
        iteration: 2,
        next_action: 'await_user_request',
        blocked_reason: null,
        agents: { planner: { last_run: null, last_report: 'reports/planner.md' }, reviewer: { last_run: 'Monday' } },
      },
    },
    said: [
      'Goal: Close the round of reviews',
      'Constraints: no push',
      'Current blockers: none',
      'Controller route: active: false; mode: manual; iteration: 2; next_action: await_user_request; agents: (planner: (last_report: reports/planner.md); reviewer: (last_run: Monday))',
      'Next: await_user_request',
    ],
  },
  {
    what: 'a message from one agent to another',
    log: {
      latest_instruction: {
        from_agent: 'net_builder',
        to_agent: 'net_tester',
        content: '请在 100ms 延迟下测试新配置。',
      },
      controller_route_summary: { from_agent: 'net_builder', to_agent: 'net_tester' },
    },
    said: [
      'Latest instruction: from_agent: net_builder; to_agent: net_tester; content: 请在 100ms 延迟下测试新配置。',
      'Controller route: from_agent: net_builder; to_agent: net_tester',
      'Next: net_tester',
    ],
  },
  {
    what: 'a round with agents that are through',
    log: {
      controller_route_summary: {
        round: 3,
        current_agent: 'frontend',
        next_agent: 'tester',
        completed_agent: ['analyzer', 'backend'],
        focus_for_next: 'empty states',
        artifacts: { spec: 'shared/SPEC.md' },
      },
    },
    said: [
      'Controller route: round: 3; current_agent: frontend; next_agent: tester; completed_agent: (analyzer, backend); focus_for_next: empty states; artifacts: (spec: shared/SPEC.md)',
      'Next: tester: empty states',
    ],
  },
  {
    what: 'a persona at a task, with flags of its tests',
    log: {
      controller_route_summary: {
        current_sprint_id: 'sprint-2',
        active_task_id: 'task-7',
        active_persona: 'QA',
        surgical_target: { file_path: 'src/check.js', line_range_start: 1 },
        validation_status: { test_exists: true, implementation_passed: false },
      },
    },
    said: [
      'Controller route: current_sprint_id: sprint-2; active_task_id: task-7; active_persona: QA; surgical_target: (file_path: src/check.js; line_range_start: 1); validation_status: (test_exists: true; implementation_passed: false)',
      'Next: QA, step task-7',
    ],
  },
  {
    what: 'a phase with what the last session did',
    log: {
      controller_route_summary: {
        phase: 'foundation',
        last_session_work: 'Session 2: sign-in, map',
        next_session_type: 'build',
        next_action: 'Session 3: input of routes',
      },
    },
    said: [
      'Controller route: phase: foundation; last_session_work: Session 2: sign-in, map; next_session_type: build; next_action: Session 3: input of routes',
      'Next: Session 3: input of routes',
    ],
  },
  {
    what: 'an audit with open actions as blockers',
    log: {
      goal: 'First release',
      current_blockers: {
        state: 'ready',
        open_actions: ['Fix 30 errors of the linter', 'Raise coverage to 85%'],
        last_session: { agent: 'evaluator', action: 'conditional pass' },
      },
    },
    said: [
      'Goal: First release',
      'Current blockers: state: ready; open_actions: (Fix 30 errors of the linter, Raise coverage to 85%); last_session: (agent: evaluator; action: conditional pass)',
    ],
  },
  {
    what: 'a handoff of a campaign: laws, instructions, ranked missions',
    log: {
      goal: 'V1',
      constraints: { laws: ['NO NEW UI ELEMENTS', 'the format is fixed'], defaults: { rate: '78125 Hz' } },
      latest_instruction: ['Read AGENTS.md first', 'One change per verdict'],
      current_blockers: [
        { id: 'SHIP', note: 'listen → freeze the list' },
        { id: 'RACK', note: 'two bodies in series' },
      ],
    },
    said: [
      'Goal: V1',
      'Constraints: laws: (NO NEW UI ELEMENTS, the format is fixed); defaults: (rate: 78125 Hz)',
      'Latest instruction (2): Read AGENTS.md first; One change per verdict',
      'Current blockers (2): id: SHIP; note: listen → freeze the list | id: RACK; note: two bodies in series',
    ],
  },
  {
    what: 'a pipeline with a state for each stage, as ledger',
    log: {
      ledger: {
        feature_id: 'v2-smoke',
        agent_roles: { first: ['pm', 'acceptance'], second: ['phase_dev'] },
        stage_status: { pm: 'passed', phase_dev: 'passed', phase_test: 'pending' },
      },
    },
    said: [],
    steps: ['pm passed', 'phase_dev passed', 'phase_test pending'],
  },
  {
    what: 'a ledger of an orchestrator with the lives of its roles',
    log: {
      ledger: {
        task_id: 'T9',
        goal: 'Ship the importer',
        status: 'PLANNING',
        current_step: null,
        steps: [],
        role_lifecycle: { orchestrator: 'idle', implementer: 'running' },
        succession: { enabled: true, last_takeover_at: null },
      },
    },
    said: ['Goal: Ship the importer'],
    steps: ['orchestrator idle', 'implementer running'],
  },
  {
    what: 'reports of workers, with and without a state',
    log: {
      status_reports: [
        {
          task_id: 'TASK-1',
          worker_role: 'backend',
          summary: 'One installer',
          modifications: [{ filepath: 'install.py', change_type: 'UPDATE' }],
          tests: [{ test_command: 'make test', status: 'PASSED' }],
          requires_human: false,
        },
        { ticket_id: 'BUG-1', status: 'AUDITING', agent_name: 'iron', payload: { sum: 'd3a5' } },
      ],
    },
    said: [],
    left: { status_reports: [0, 1] },
  },
  {
    what: 'statuses of agents: blocked ones with questions, and done ones',
    log: {
      status_reports: [
        {
          status: 'blocked',
          summary: 'API: it does not compile',
          questions: ['who releases 0.3.1?'],
          blockers: ['a broken package'],
        },
        { status: 'done', summary: 'SDK: made again', blockers: [] },
      ],
    },
    said: [],
    left: { status_reports: [0, 1] },
  },
  {
    what: 'output of agents in a log: what is complete goes, what is blocked stays with its handoff',
    log: {
      execution_logs: [
        { agent: 'frontend', status: 'complete', handoff: { next_agent: 'tester', context: 'test parts 1-5' } },
        { agent: 'tester', status: 'blocked', handoff: { next_agent: 'frontend', blocker: 'no fixture' } },
        { id: 'H-18-A', title: 'state module', passes: true },
        { id: 'H-18-I', title: 'focus command', passes: false },
      ],
    },
    said: [],
    left: { execution_logs: [1, 2, 3] },
  },
  {
    what: 'a heartbeat and leases: an alarm says its reason',
    log: {
      status_reports: [
        { schema_version: '1.0.0', status: 'STALE', last_heartbeat_at: '10:00', reason_code: 'lease_expired' },
        { leases: [{ lane: 'build', holder: 'w2', expires_at: '10:02' }] },
      ],
    },
    said: ['Alarms: STALE: lease_expired'],
    left: { status_reports: [0, 1] },
  },
];

describe('status files of public repositories', () => {
  it.each(LOGS)('keep every essential: $what', ({ log, said, left = {}, steps }) => {
    const { output, findings } = compactRelay(log);
    const own = Object.entries(log).filter(([key]) => (ESSENTIALS as readonly string[]).includes(key));
    expect(output.relay_context).toMatchObject(Object.fromEntries(own));
    expect(output.summary.split('\n').filter((line) => !/(?:^Missing|: missing$)/.test(line))).toEqual(said);
    for (const [list, places] of Object.entries(left)) {
      const entries = log[list] as readonly unknown[];
      expect(output[list]).toEqual(places.map((place) => entries[place]));
    }
    const dropped = Object.entries(left).map(
      ([list, places]) => (log[list] as readonly unknown[]).length - places.length,
    );
    expect(findings.dropped.length).toBe(dropped.reduce((sum, count) => sum + count, 0));
    if (steps) expect(readLedger(log.ledger).tasks.map(({ ids, status }) => `${ids[0]} ${status}`)).toEqual(steps);
    // What the product does not know passes through, and once more changes nothing.
    for (const key of findings.passedThrough) expect(output[key]).toEqual(log[key]);
    expect(compactRelay(output).output).toEqual(output);
  });
});
