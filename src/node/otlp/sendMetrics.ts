/**
 * Sends metrics by OTLP over HTTP with the official exporters, which take endpoint, headers, certificates and compression
 * from the standard variables of the process. The points are totals of a log, not of this process, so that they are given
 * to the exporter as they are, with the time at which the log begins.
 */
import { type Attributes, DiagLogLevel, diag, type HrTime, ValueType } from '@opentelemetry/api';
import { OTLPMetricExporter as JsonExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import type { MetricName } from '../../core/print/exportedMetrics';
import { isRecord } from '../../core/text/jsonRecord';
import type { MetricBatch, SendResult } from '../otlpModule';

/** The exporter should have given up by itself; this ends an export that it holds up. */
const GRACE_MS = 1_000;

function hrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)];
}

function metricData(name: MetricName, { metrics, points, startedAt, now }: MetricBatch): MetricData {
  const { kind, unit, description } = metrics[name];
  const own = points.filter(({ metric }) => metric === name);
  const valueType = own.every(({ value }) => Number.isInteger(value)) ? ValueType.INT : ValueType.DOUBLE;
  const begun = kind === 'sum' ? startedAt : now;
  const dataPoints = own.map(({ value, attributes }) => ({
    startTime: hrTime(begun),
    endTime: hrTime(now),
    attributes: attributes as Attributes,
    value,
  }));
  const common = {
    descriptor: { name, unit, description, valueType },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPoints,
  };
  return kind === 'sum'
    ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true }
    : { ...common, dataPointType: DataPointType.GAUGE };
}

/** A status of HTTP or a code of the system says more than the exporter's sentence. */
function whyOf(error: unknown): string {
  const { code, cause, message } =
    isRecord(error) || error instanceof Error ? (error as Error & { code?: unknown }) : {};
  if (typeof code === 'number') return `HTTP ${code}`;
  if (typeof code === 'string') return code;
  if (cause !== undefined) return whyOf(cause);
  return typeof message === 'string' && message !== '' ? message : 'unknown reason';
}

/** See `OtlpModule`. */
export async function sendMetrics(batch: MetricBatch, signal: AbortSignal): Promise<SendResult> {
  let rejected: string | undefined;
  const ignore = (): void => undefined;
  const warn = (message: string, ...rest: readonly unknown[]): void => {
    if (/partial success/i.test(message)) rejected = [message, ...rest.map(String)].join(' ');
  };
  const logger = { error: ignore, warn, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });

  const resource = defaultResource()
    .merge(resourceFromAttributes(batch.resource))
    .merge(detectResources({ detectors: [envDetector] }));
  await resource.waitForAsyncAttributes?.();
  const names = (Object.keys(batch.metrics) as MetricName[]).filter((name) =>
    batch.points.some(({ metric }) => metric === name),
  );
  const scope = { name: 'context-budget', version: batch.resource['service.version'] ?? '' };
  const metrics = names.map((name) => metricData(name, batch));
  const data: ResourceMetrics = { resource, scopeMetrics: [{ scope, metrics }] };

  const exporter = batch.receiver.protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  const sent = new Promise<SendResult>((resolve) => {
    exporter.export(data, ({ code, error }) =>
      resolve(code === 0 ? { kind: 'sent', rejected } : { kind: 'failed', why: whyOf(error) }),
    );
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<SendResult>((resolve) => {
    const { timeoutMs } = batch.receiver;
    const why = `no answer in ${timeoutMs} ms`;
    timer = setTimeout(() => resolve({ kind: 'failed', why }), timeoutMs + GRACE_MS);
  });
  const interrupted = new Promise<SendResult>((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'failed', why: 'interrupted' }));
  });
  try {
    return await Promise.race([sent, late, interrupted]);
  } finally {
    clearTimeout(timer);
    // What is still under way is not waited for.
    exporter.shutdown().catch(ignore);
  }
}
