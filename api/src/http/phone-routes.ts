import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';
import { pageScope } from './scopes.ts';

/** How phones reach https. */
export interface PhoneHttps {
  /** Whether other devices may connect. */
  isOpen: () => boolean;
  /** Null: only http is served. */
  httpsPort: () => number | null;
  /** The certificate a phone installs to trust this server; null: none is needed. */
  caCertificate: () => string | null;
}

interface PhoneRoutesOptions extends PhoneHttps {
  sendPage: (reply: FastifyReply, host: string | undefined) => FastifyReply;
}

const config = { need: pageScope };

/**
 * Serves the page that leads a phone to https and pairs it, and the certificate to install. Both are public
 * and contain no secret.
 */
export function registerPhone(app: FastifyInstance, options: PhoneRoutesOptions): void {
  const { isOpen, httpsPort, caCertificate, sendPage } = options;
  app.get('/phone', { config }, ({ headers: { host } }, reply) => sendPage(reply, host));
  app.get('/phone.json', { config }, async () => ({
    is_open: isOpen(),
    https_port: httpsPort(),
    has_certificate: caCertificate() !== null,
  }));
  app.get('/hearth-ca.crt', { config }, async (_request, reply) => {
    const certificate = caCertificate();
    if (certificate === null) throw new AppError('not_found');
    reply.header('content-disposition', 'attachment; filename="hearth-ca.crt"');
    return reply.type('application/x-x509-ca-cert').send(certificate);
  });
  // Over http, a page may check whether its browser trusts https here. It learns nothing else.
  app.get('/reachable', { config }, async (_request, reply) =>
    reply
      .headers({ 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' })
      .code(204)
      .send(),
  );
}
