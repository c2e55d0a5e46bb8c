/** The docs page at `/docs`: Swagger UI from the package's own files, so it works offline. */
import swaggerUi from '@fastify/swagger-ui';
import type { Api } from './api.ts';

/** Own files only; Swagger UI sets styles inline. */
const PAGE_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

export async function serveDocs(app: Api): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: PAGE_POLICY,
    theme: { title: 'Inlay API' },
    uiConfig: { docExpansion: 'list', deepLinking: true, persistAuthorization: false, tryItOutEnabled: true },
  });
}
