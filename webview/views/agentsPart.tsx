import { Component, type JSX } from 'preact';
import type { AgentCoverage } from '../../src/core/agents/agentCoverage';
import type { AgentId } from '../../src/core/model/agent';
import {
  type AgentFileView,
  type AgentImportView,
  type AgentsView,
  type AgentView,
  agentsView,
  splitAgents,
} from '../agents';
import { cssPercent } from '../format';
import { listed } from '../language';
import type { PanelActions } from '../panelActions';
import { Icon, type IconName } from '../ui/icon';
import { AGENT_STATE_WORDS, AGENT_WORDS, type AgentState } from '../words/agents';
import { Part } from './part';

const STATE_ICONS: Readonly<Record<AgentState, IconName>> = {
  truncated: 'warning',
  dropped: 'circle-slash',
  shadowed: 'eye',
  onDemand: 'circle-outline',
  loaded: 'check',
  none: 'dash',
};

function State({ state }: { readonly state: AgentState }): JSX.Element {
  return (
    <span class={`state st-${state}`}>
      <Icon name={STATE_ICONS[state]} />
      {AGENT_STATE_WORDS[state]}
    </span>
  );
}

/** How much of a cut file is read, and what is lost, as a rail. */
function Cut({ share }: { readonly share: number }): JSX.Element {
  return (
    <span class="cut" aria-hidden="true">
      <i style={{ width: cssPercent(share) }} />
      <b style={{ left: cssPercent(share) }} />
    </span>
  );
}

function File(props: {
  readonly file: AgentFileView;
  readonly agentId: string;
  /** Its fate in words, where it is not the agent's own. */
  readonly hasState: boolean;
  readonly actions: PanelActions;
}): JSX.Element {
  const { file, agentId, actions } = props;
  const { path, line } = file;
  return (
    <li>
      <span class="l2">
        <button
          type="button"
          class="link file"
          title={file.linkTitle}
          data-key={`agent ${agentId} ${file.key}`}
          onClick={() => actions.post({ type: 'openFile', path, line })}
        >
          <bdi>{path}</bdi>
        </button>
        <span class="at">
          <span class="sr">, {file.readShare !== undefined && `${AGENT_WORDS.cutBefore} `}</span>
          {file.at}
        </span>
      </span>
      {file.readShare !== undefined && <Cut share={file.readShare} />}
      {(props.hasState || file.rule !== '' || file.isDoubtful) && (
        <span class="limit">
          {props.hasState && <State state={file.state} />}
          {file.isDoubtful && (
            <span class="unsure" title={AGENT_WORDS.unsureTitle}>
              <Icon name="question" />
              {AGENT_WORDS.unsure}
            </span>
          )}
          {file.rule !== '' && <span>{file.rule}</span>}
        </span>
      )}
    </li>
  );
}

/** An import that comes to nothing, with its place. */
function Import(props: {
  readonly view: AgentImportView;
  readonly agentId: string;
  readonly actions: PanelActions;
}): JSX.Element {
  const { path, line, linkTitle, words } = props.view;
  return (
    <li class="limit">
      <Icon name="warning" />
      <button
        type="button"
        class="link"
        title={linkTitle}
        data-key={`import ${props.agentId} ${path} ${line}`}
        onClick={() => props.actions.post({ type: 'openFile', path, line })}
      >
        {path}
      </button>{' '}
      {words}
    </li>
  );
}

/** The name of an opened agent in the panel's state, and of the opened line of those that lose nothing. */
const agentItem = (id: AgentId): string => `agent ${id}`;
const WHOLE_ITEM = 'agents whole';
const OTHERS_ITEM = 'agents others';

function Agent(props: {
  readonly agent: AgentView;
  readonly isOpen: boolean;
  readonly actions: PanelActions;
}): JSX.Element {
  const { agent, isOpen, actions } = props;
  const { id, shown, more, imports } = agent;
  const files = isOpen ? [...shown, ...more] : shown;
  return (
    <li class="cb-agent">
      <span class="l1">
        <span class="who">{agent.name}</span>
        <span class="sr">, </span>
        <State state={agent.state} />
      </span>
      <ul>
        {files.map((file) => (
          <File key={file.key} file={file} agentId={id} hasState={file.state !== agent.state} actions={actions} />
        ))}
      </ul>
      {imports.length > 0 && (
        <ul class="imports">
          {imports.map((each) => (
            <Import key={`${each.path} ${each.line} ${each.words}`} view={each} agentId={id} actions={actions} />
          ))}
        </ul>
      )}
      {more.length > 0 && (
        <button
          type="button"
          class="link more"
          aria-expanded={isOpen}
          data-key={agentItem(id)}
          onClick={() => actions.dispatch({ type: 'toggleItem', item: agentItem(id) })}
        >
          {isOpen ? AGENT_WORDS.fewer : AGENT_WORDS.more(more.length)}
          <span class="sr">, {agent.name}</span>
        </button>
      )}
    </li>
  );
}

interface AgentsProps {
  readonly view: AgentsView;
  readonly openItems: readonly string[];
  readonly actions: PanelActions;
}

function AgentList(props: Omit<AgentsProps, 'view'> & { readonly agents: readonly AgentView[] }): JSX.Element {
  const { agents, openItems, actions } = props;
  return (
    <ul class="list">
      {agents.map((agent) => (
        <Agent key={agent.id} agent={agent} isOpen={openItems.includes(agentItem(agent.id))} actions={actions} />
      ))}
    </ul>
  );
}

/** Those that lose nothing, in one line that opens to them. */
function WholeAgents(props: AgentsProps): JSX.Element {
  const { view, openItems, actions } = props;
  const isOpen = openItems.includes(WHOLE_ITEM);
  return (
    <>
      <button
        type="button"
        class="fold-line small muted"
        aria-expanded={isOpen}
        data-key={WHOLE_ITEM}
        onClick={() => actions.dispatch({ type: 'toggleItem', item: WHOLE_ITEM })}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <span>{AGENT_WORDS.whole(listed(view.whole.map(({ name }) => name)))}</span>
      </button>
      {isOpen && <AgentList agents={view.whole} openItems={openItems} actions={actions} />}
    </>
  );
}

function Agents(props: AgentsProps): JSX.Element {
  const { view, openItems, actions } = props;
  return (
    <div class="cb-agents">
      {view.agents.length > 0 && <AgentList agents={view.agents} openItems={openItems} actions={actions} />}
      {view.whole.length > 0 && <WholeAgents view={view} openItems={openItems} actions={actions} />}
      {view.without.length > 0 && (
        <p class="small muted without">
          <Icon name="dash" />
          <span>{AGENT_WORDS.noFile(listed(view.without))}</span>
        </p>
      )}
    </div>
  );
}

/** Agents that are not the user's own, in one line that opens to them. */
function OtherAgents(props: Omit<AgentsProps, 'view'> & { readonly coverage: readonly AgentCoverage[] }): JSX.Element {
  const { coverage, openItems, actions } = props;
  const isOpen = openItems.includes(OTHERS_ITEM);
  return (
    <div class="cb-agents">
      <button
        type="button"
        class="fold-line small muted"
        aria-expanded={isOpen}
        data-key={OTHERS_ITEM}
        onClick={() => actions.dispatch({ type: 'toggleItem', item: OTHERS_ITEM })}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <span>{AGENT_WORDS.others(coverage.length)}</span>
      </button>
      {isOpen && <Agents view={agentsView(coverage)} openItems={openItems} actions={actions} />}
    </div>
  );
}

interface AgentsPartProps {
  readonly coverage: readonly AgentCoverage[];
  /** *My Agents*, as shown; empty where none is known. */
  readonly names: readonly string[];
  readonly isFolded: boolean;
  readonly openItems: readonly string[];
  readonly actions: PanelActions;
}

/** What each coding agent loads, cuts and never reads of the folder's files. Drawn again only when that changed. */
export class AgentsPart extends Component<AgentsPartProps> {
  override shouldComponentUpdate(next: AgentsPartProps): boolean {
    const now = this.props;
    return (
      next.coverage !== now.coverage ||
      next.names.join() !== now.names.join() ||
      next.isFolded !== now.isFolded ||
      next.openItems !== now.openItems ||
      next.actions !== now.actions
    );
  }

  override render({ coverage, names, isFolded, openItems, actions }: AgentsPartProps): JSX.Element {
    const { own, others } = splitAgents(coverage, names);
    const view = agentsView(own);
    return (
      <Part id="agents" title={AGENT_WORDS.title} summary={view.summary} isFolded={isFolded} actions={actions}>
        <Agents view={view} openItems={openItems} actions={actions} />
        {others.length > 0 && <OtherAgents coverage={others} openItems={openItems} actions={actions} />}
      </Part>
    );
  }
}
