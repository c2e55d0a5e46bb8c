/** The docs page at `/docs`: Swagger UI from the package's own files, so it works offline. */
import swaggerUi from '@fastify/swagger-ui';
import type { Api } from './api.ts';

export async function serveDocs(app: Api): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    theme: { title: 'Inlay API' },
    uiConfig: { docExpansion: 'list', deepLinking: true, persistAuthorization: false, tryItOutEnabled: true },
  });
}
