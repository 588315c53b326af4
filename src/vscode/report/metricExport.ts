import * as vscode from 'vscode';
import { SYSTEM_CLOCK } from '../../protocol/clock';
import { DisposableStore } from '../base/disposables';
import { SETTINGS, SETTINGS_SECTION } from '../base/ids';
import { isSettingOn, onDidChangeSettings } from '../base/preferences';
import type { EditorServices } from '../copy/editorServices';
import { type LastExport, MetricSchedule, type SendMetrics, type WantedMetrics } from './metricSchedule';

const MINUTE_MS = 60_000;
/** The least that the manifest allows, and its default. */
const INTERVAL_MINUTES = { least: 5, usual: 60 };

/**
 * Sends numbers of the active folder to the receiver of the user's settings, where `contextBudget.openTelemetry.enabled`
 * says so: machine settings, so no file of a workspace turns it on or names a receiver. Never in Restricted Mode.
 */
export class MetricExport extends DisposableStore {
  /** Without `send` the host cannot run anything. */
  constructor({ context, log, registry }: EditorServices, send: SendMetrics | undefined) {
    super();
    if (!send) return;
    const keyOf = (root: string): string => `metrics:${root}`;
    const last = {
      get: (root: string) => context.workspaceState.get<LastExport>(keyOf(root)),
      set: (root: string, value: LastExport) => void context.workspaceState.update(keyOf(root), value),
    };
    const schedule = this.add(new MetricSchedule(send, last, SYSTEM_CLOCK, log));
    const look = (): void => (isAllowed() ? schedule.look(wantedOf(registry)) : schedule.stop());
    this.add(registry.onDidChange(look));
    this.add(onDidChangeSettings(['openTelemetry'], look));
    this.add(vscode.workspace.onDidGrantWorkspaceTrust(look));
  }
}

function isAllowed(): boolean {
  return vscode.workspace.isTrusted && isSettingOn(SETTINGS.openTelemetryEnabled, false);
}

/** What the active folder has to send; undefined while it is being opened or counted. */
function wantedOf({ active }: EditorServices['registry']): WantedMetrics | undefined {
  if (!active) return undefined;
  const { state, report } = active.workspace.snapshot;
  const { scheme, fsPath } = active.folder.uri;
  if (scheme !== 'file' || state !== 'ready' || !report) return undefined;
  const settings = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  const minutes = Number(settings.get(SETTINGS.openTelemetryInterval, INTERVAL_MINUTES.usual));
  const options = {
    endpoint: String(settings.get(SETTINGS.openTelemetryEndpoint, '')).trim(),
    withNames: isSettingOn(SETTINGS.openTelemetryNames, false),
    intervalMs: Math.max(INTERVAL_MINUTES.least, minutes || INTERVAL_MINUTES.usual) * MINUTE_MS,
  };
  return { root: fsPath, report, options };
}
