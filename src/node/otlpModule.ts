/** The bundle `dist/otlp.js`, which only `export` loads, and what the standard variables say about the receiver. */
import { createRequire } from 'node:module';
import path from 'node:path';
import type { METRICS, MetricPoint } from '../core/print/exportedMetrics';
import { isRecord } from '../core/text/jsonRecord';

/** Encodings of OTLP over HTTP. */
const PROTOCOLS = ['http/protobuf', 'http/json'] as const;

/** The default of the OpenTelemetry specification (protocol/exporter). */
const DEFAULT_ENDPOINT = 'http://localhost:4318';
const DEFAULT_TIMEOUT_MS = 10_000;

/** Where the numbers go. */
export interface OtlpReceiver {
  readonly protocol: (typeof PROTOCOLS)[number];
  /** For messages: without user, password and query. */
  readonly shownUrl: string;
  /** In which an export ends, with all that is tried again. */
  readonly timeoutMs: number;
}

/** What the variables ask for; `off` and `wrong` name the variable. */
export type OtlpSettings =
  | { readonly kind: 'on'; readonly receiver: OtlpReceiver }
  | { readonly kind: 'off' | 'wrong'; readonly why: string };

/** A variable of metrics alone wins over that of all signals; an empty one is not set. */
function variable(env: NodeJS.ProcessEnv, name: string): { readonly name: string; readonly value: string } | undefined {
  const names = [`OTEL_EXPORTER_OTLP_METRICS_${name}`, `OTEL_EXPORTER_OTLP_${name}`];
  for (const each of names) {
    const value = env[each]?.trim();
    if (value) return { name: each, value };
  }
  return undefined;
}

function parseUrl(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined;
}

/** Reads the standard variables. The official exporter reads them too, but falls back to localhost where one is wrong. */
export function otlpSettings(env: NodeJS.ProcessEnv): OtlpSettings {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return { kind: 'off', why: 'OTEL_SDK_DISABLED is true' };
  if (env.OTEL_METRICS_EXPORTER?.trim() === 'none') return { kind: 'off', why: 'OTEL_METRICS_EXPORTER is none' };
  const asked = variable(env, 'PROTOCOL');
  const protocol = PROTOCOLS.find((each) => each === (asked?.value ?? PROTOCOLS[0]));
  if (!protocol) return { kind: 'wrong', why: `${asked?.name} must be one of: ${PROTOCOLS.join(', ')}` };
  const endpoint = variable(env, 'ENDPOINT');
  const url = parseUrl(endpoint?.value ?? DEFAULT_ENDPOINT);
  if (!url || !/^https?:$/.test(url.protocol))
    return { kind: 'wrong', why: `${endpoint?.name} must be a URL with http or https` };
  const isWhole = endpoint?.name === 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT';
  const shownUrl = `${url.origin}${isWhole ? url.pathname : `${url.pathname.replace(/\/$/, '')}/v1/metrics`}`;
  const timeout = variable(env, 'TIMEOUT');
  const timeoutMs = timeout ? Number(timeout.value) : DEFAULT_TIMEOUT_MS;
  if (!(timeoutMs > 0 && Number.isFinite(timeoutMs)))
    return { kind: 'wrong', why: `${timeout?.name} must be a number of milliseconds` };
  return { kind: 'on', receiver: { protocol, shownUrl, timeoutMs } };
}

/** One export. */
export interface MetricBatch {
  readonly metrics: typeof METRICS;
  readonly points: readonly MetricPoint[];
  /** When the totals began; of gauges nothing begins. Milliseconds since the epoch, as `now`. */
  readonly startedAt: number;
  readonly now: number;
  /** Attributes of the resource: which program, version and folder. */
  readonly resource: Readonly<Record<string, string>>;
  readonly receiver: OtlpReceiver;
}

/** How it went. */
export type SendResult =
  /** `rejected`: what the receiver said about points that it did not take. */
  { readonly kind: 'sent'; readonly rejected?: string | undefined } | { readonly kind: 'failed'; readonly why: string };

export interface OtlpModule {
  /** Sends one batch to the receiver that the environment names. Never rejects, and ends soon after the timeout. */
  sendMetrics(batch: MetricBatch, signal: AbortSignal): Promise<SendResult>;
}

/** Loads the bundle. Throws when the product is not built. */
export function loadOtlpModule(productRoot: string): OtlpModule {
  const script = path.join(productRoot, 'dist', 'otlp.js');
  const loaded: unknown = createRequire(script)(script);
  if (!isRecord(loaded) || !('sendMetrics' in loaded)) throw new Error('The bundle of the export has no entry');
  return loaded as unknown as OtlpModule;
}
