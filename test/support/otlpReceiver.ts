/** Takes what is sent by OTLP over HTTP, and decodes it with the definitions of the protocol. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
// The static code that protobufjs makes of the official .proto files, which newer packages no longer ship.
import protocol from 'otlp-proto/build/src/generated/root';

/** What is read of a decoded request. */
interface Decoded {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue?: string } }[] };
    readonly scopeMetrics: readonly { readonly metrics: readonly DecodedMetric[] }[];
  }[];
}
interface DecodedMetric {
  readonly name: string;
  readonly unit: string;
  readonly sum?: {
    readonly dataPoints: readonly DecodedPoint[];
    isMonotonic: boolean;
    aggregationTemporality: unknown;
  };
  readonly gauge?: { readonly dataPoints: readonly DecodedPoint[] };
}
interface DecodedPoint {
  readonly attributes: readonly { key: string; value: { stringValue?: string } }[];
  readonly startTimeUnixNano: unknown;
  readonly asInt?: unknown;
  readonly asDouble?: number;
}

/** The generated file's types are those of another version of protobufjs. */
const RequestType = Reflect.get(protocol, 'opentelemetry').proto.collector.metrics.v1.ExportMetricsServiceRequest as {
  decode(bytes: Uint8Array): Decoded;
};

interface Request {
  readonly url: string | undefined;
  readonly type: string | undefined;
  readonly authorization: string | undefined;
  readonly body: Buffer;
}

/** An OpenTelemetry receiver of metrics on this machine. */
export class Receiver {
  readonly requests: Request[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param status 0: never answers */
  static async start(status: number): Promise<Receiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { 'content-type': type, authorization } = request.headers;
        receiver.requests.push({ url: request.url, type, authorization, body: Buffer.concat(chunks) });
        if (status !== 0) response.writeHead(status, { 'content-type': type ?? '' }).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new Receiver(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return receiver;
  }

  /** The one request, decoded. */
  decoded(): Decoded {
    const [request, ...others] = this.requests;
    if (!request || others.length > 0) throw new Error(`${this.requests.length} requests where one is expected`);
    return RequestType.decode(request.body);
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

/** Points by name, each as its attributes and value. */
export function valuesOf(decoded: Decoded) {
  const metrics = decoded.resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics: own }) => own),
  );
  const byName = new Map<string, readonly { of: Record<string, string | undefined>; value: number; start: number }[]>();
  for (const { name, sum, gauge } of metrics) {
    const points = (sum ?? gauge)?.dataPoints ?? [];
    byName.set(
      name,
      points.map(({ attributes, asInt, asDouble, startTimeUnixNano }) => ({
        of: Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue])),
        value: asDouble ?? Number(asInt),
        start: Number(startTimeUnixNano) / 1e6,
      })),
    );
  }
  return { metrics, byName };
}
