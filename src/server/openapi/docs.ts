/** The docs page at `/docs`: Swagger UI from the package's own files, so it works offline. */
import swaggerUi from '@fastify/swagger-ui';
import type { Api } from '../http/api.ts';
import { prepareText, type ReadyText, sendText } from '../ready/ready-text.ts';

/** Only files of this service; Swagger UI sets styles inline. */
const PAGE_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/**
 * The page's own routes would render the document again for each request; here it is rendered once.
 * @param document the JSON form, ready to send
 */
export async function serveDocs(app: Api, document: () => Promise<ReadyText>): Promise<void> {
  let yaml: Promise<ReadyText> | undefined;
  const forms = new Map<string, () => Promise<ReadyText>>([
    ['/docs/json', document],
    [
      '/docs/yaml',
      () => {
        yaml ??= prepareText(app.swagger({ yaml: true }), 'application/x-yaml');
        return yaml;
      },
    ],
  ]);
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiHooks: {
      onRequest: (request, reply, done) => {
        const form = forms.get(request.routeOptions.url ?? '');
        if (form === undefined) {
          done();
        } else {
          form().then((ready) => sendText(request, reply, ready), done);
        }
      },
    },
    staticCSP: PAGE_POLICY,
    theme: { title: 'Inlay API' },
    uiConfig: { docExpansion: 'list', deepLinking: true, persistAuthorization: false, tryItOutEnabled: true },
  });
}
