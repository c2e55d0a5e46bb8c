/** `/demo/webhooks`: receives the demo operator's deliveries and shows them to its page. Development only. */
import { demoMailQuery } from '../../wire/embed.ts';
import { forDemo } from './demo-visitor.ts';
import { createDemoMailbox, DEMO_WEBHOOKS } from './demo-webhooks.ts';

const config = { auth: 'none' } as const;

export const demoWebhooksRoutes = forDemo((app, context, admit) => {
  const mailbox = createDemoMailbox(context);

  // The signature covers the raw bytes.
  app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser<string>('*', { parseAs: 'string' }, (_request, text, done) => done(null, text));
    raw.route({
      method: 'POST',
      url: DEMO_WEBHOOKS,
      config,
      schema: { hide: true },
      handler: async (request, reply) => {
        const signature = request.headers['service-signature'];
        const operator = await admit(request);
        const good =
          typeof request.body === 'string' &&
          typeof signature === 'string' &&
          (await mailbox.take(operator, request.body, signature));
        return reply.code(good ? 204 : 401).send();
      },
    });
  });

  app.route({
    method: 'GET',
    url: DEMO_WEBHOOKS,
    config,
    schema: { hide: true, querystring: demoMailQuery },
    handler: async (request, reply) => {
      await admit(request);
      const { user, after } = request.query;
      return reply.header('cache-control', 'no-store').send(mailbox.read(user, after));
    },
  });
});
