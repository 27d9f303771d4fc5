import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';
import { pageNeed } from './scopes.ts';

/** How phones get to https. */
export interface PhoneHttps {
  /** Null: only http is served. */
  httpsPort: number | null;
  /** What a phone installs to trust the household; null: nothing is needed. */
  caCertificate: () => string | null;
}

interface PhoneRoutesOptions extends PhoneHttps {
  sendPage: (reply: FastifyReply, host: string | undefined) => FastifyReply;
}

const config = { need: pageNeed };

/**
 * The page that brings a phone to https and pairs it, and the certificate that it may install. They are open,
 * as the page is, and hold no secret.
 */
export function registerPhone(app: FastifyInstance, options: PhoneRoutesOptions): void {
  const { httpsPort, caCertificate, sendPage } = options;
  app.get('/phone', { config }, ({ headers: { host } }, reply) => sendPage(reply, host));
  app.get('/phone.json', { config }, async () => ({
    https_port: httpsPort,
    has_certificate: caCertificate() !== null,
  }));
  app.get('/hearth-ca.crt', { config }, async (_request, reply) => {
    const certificate = caCertificate();
    if (certificate === null) throw new AppError('not_found');
    reply.header('content-disposition', 'attachment; filename="hearth-ca.crt"');
    return reply.type('application/x-x509-ca-cert').send(certificate);
  });
  // By http a page may ask whether its browser trusts https here. It learns nothing else.
  app.get('/reachable', { config }, async (_request, reply) =>
    reply
      .headers({ 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' })
      .code(204)
      .send(),
  );
}
