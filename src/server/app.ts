/**
 * Assembles the HTTP server: hooks in their order, then the routes of `routes.ts`, and starts it. It contains no rule of
 * the business.
 */
import Fastify, { type FastifyRequest } from 'fastify';
import type { ApiContext } from '../context.ts';
import { createClientAddress } from '../core/addresses.ts';
import type { Leave } from '../core/fair-queue.ts';
import { createAdmission } from '../operators/admission.ts';
import type { CallerMemory } from '../operators/callers.ts';
import { createKeyUses } from '../operators/keys.ts';
import { forgetOldWindows } from '../operators/rate-counters.ts';
import { serveDocs } from './docs.ts';
import { createMetrics, listenForMetrics, type Metrics, serveMetrics } from './health/metrics.ts';
import { startObjectiveLooks } from './health/objectives.ts';
import type { Api, Caller } from './http/api.ts';
import { createAuthHook, createQueues } from './http/auth.ts';
import { answerPreflights, authenticateEmbedWith, createOwnOrigins } from './http/embed-auth.ts';
import { createErrorHandler } from './http/errors.ts';
import {
  createAnonymousMeter,
  createHeaderHook,
  createResponseHook,
  newRequestIds,
  observeCountries,
  traceRequests,
} from './http/hooks.ts';
import { listen, type RunningServer } from './http/listen.ts';
import { createReadOrWait } from './http/read-or-wait.ts';
import { acceptJsonBodies, MAX_BODY_BYTES, refuseUnclearHeads, sendAsJson, validateRequests } from './http/requests.ts';
import { answerBrokenRequests, createServerFactory } from './http/sockets.ts';
import { describeApi, serveDocuments } from './openapi/openapi.ts';
import { ROUTES } from './routes.ts';
import { answerUnknownRoutes } from './unknown-routes.ts';

const MAX_PARAMETER_CHARACTERS = 2048;
const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '::1'];
const SWEEP_MS = 60_000;
const KEY_USES_MS = 30_000;

export interface ServerOptions extends CallerMemory {
  /** Whether this machine gets the demo, which trades without a key; only `inlay up` sets it. */
  readonly demo?: boolean;
}

/** Builds the API without listening; tests may call `inject`. */
export async function buildApp(
  context: ApiContext,
  metrics: Metrics = createMetrics(context),
  { demo = false, ...memory }: ServerOptions = {},
): Promise<Api> {
  const { trustedProxies, anonymousRate, httpConnections, metricsPort, production, host } = context.environment;
  // A service that other machines can reach has no demo.
  const hasDemo = demo && LOOPBACK_HOSTS.includes(host);
  const admit = createAdmission(context.sql, context.counters, { ...memory, onRead: metrics.observeCallersRead });
  const app = Fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    genReqId: newRequestIds(),
    serverFactory: createServerFactory({ connections: httpConnections, trustedProxies }),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: MAX_PARAMETER_CHARACTERS, ignoreTrailingSlash: false },
    clientErrorHandler: answerBrokenRequests,
    frameworkErrors: (error, request, reply) => createErrorHandler(context.log, context.books)(error, request, reply),
  }) as unknown as Api;
  const keyUses = createKeyUses(context.sql);

  app.decorate('isStopping', false);
  app.setValidatorCompiler(validateRequests);
  app.setSerializerCompiler(sendAsJson);
  app.setErrorHandler(createErrorHandler(context.log, context.books));
  app.decorateRequest('caller', null as unknown as Caller);
  app.decorateRequest('leaveQueue', null as unknown as Leave);
  app.decorateRequest('attribution', null);
  app.decorateRequest('rate', null);
  app.decorateRequest('span', null);
  app.decorateRequest('orderId', null);
  app.decorateRequest('waitedMs', 0);
  decorateClientAddress(app, trustedProxies);
  traceRequests(app);
  acceptJsonBodies(app);
  requireStatedAuth(app);
  app.addHook('onRequest', createHeaderHook(context.environment.publicOrigins));
  app.addHook('onRequest', refuseUnclearHeads);
  app.addHook('onRequest', createAnonymousMeter(anonymousRate, Date.now));
  answerUnknownRoutes(app);
  answerPreflights(app);
  app.addHook(
    'onRequest',
    createAuthHook(
      { admit, uses: keyUses, counters: context.counters, enterQueue: createQueues() },
      authenticateEmbedWith(context, createOwnOrigins(app, context.environment)),
    ),
  );
  app.addHook('onResponse', createResponseHook(context.log, metrics));
  observeCountries(app, context);

  await describeApi(app);
  const readOrWait = createReadOrWait(app, context.rowWait);
  for (const routes of ROUTES) {
    routes(app, { ...context, admit, hasDemo, readOrWait });
  }
  serveDocuments(app, context.environment);
  if (metricsPort === undefined && !production) {
    serveMetrics(app, metrics);
  }
  serveDocs(app, context.environment);

  const sweep = setInterval(() => {
    forgetOldWindows(context.sql).catch((error: unknown) =>
      context.log.warn({ err: error }, 'could not remove old rate windows'),
    );
  }, SWEEP_MS);
  const writeUses = () =>
    keyUses
      .flush()
      .catch((error: unknown) => context.log.warn({ err: error }, 'could not record the last use of keys'));
  const writing = setInterval(writeUses, KEY_USES_MS);
  const endLooks = startObjectiveLooks(metrics.lookAtObjectives);
  sweep.unref();
  writing.unref();
  app.addHook('onClose', async () => {
    clearInterval(sweep);
    clearInterval(writing);
    endLooks();
    await writeUses();
  });
  return app;
}

/**
 * Serves the API at HOST and PORT of the environment, and the metrics on their own port if one is configured. `close()`
 * ends the servers only; the context belongs to the caller.
 * @throws EnvironmentError naming PORT, HOST or INLAY_METRICS_PORT if the address cannot be used
 */
export async function startServer(context: ApiContext, options: ServerOptions = {}): Promise<RunningServer> {
  const { host, port, metricsHost, metricsPort } = context.environment;
  const metrics = createMetrics(context);
  const app = await buildApp(context, metrics, options);
  const server = await listen(app, host, port);
  if (metricsPort === undefined) {
    return server;
  }
  try {
    const apart = await listenForMetrics(metrics, context, metricsHost, metricsPort);
    return {
      url: server.url,
      metricsUrl: apart.url,
      close: async (noticeMs) => void (await Promise.all([apart.close(noticeMs), server.close(noticeMs)])),
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Behind a trusted proxy, the client's address is the one that the proxy reports. */
function decorateClientAddress(app: Api, trustedProxies: readonly string[]): void {
  const addressOf = createClientAddress(trustedProxies);
  app.decorateRequest('clientAddress', {
    getter(this: FastifyRequest) {
      return addressOf(this.raw.socket.remoteAddress, this.headers['x-forwarded-for']?.toString());
    },
  });
}

/** A route of the API that does not state who may call it prevents the start. */
function requireStatedAuth(app: Api): void {
  app.addHook('onRoute', ({ url, method, config }) => {
    if (url.startsWith('/api/') && config?.auth === undefined) {
      throw new Error(`${String(method)} ${url} does not state config.auth`);
    }
  });
}
