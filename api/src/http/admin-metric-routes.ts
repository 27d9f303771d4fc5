import type { Metrics } from '../metrics/metrics.ts';
import type { Handlers } from './contract-routes.ts';

/** Metrics for a Prometheus server. */
export function adminMetricRoutes({ metrics }: { metrics: Metrics }): Pick<Handlers, 'getMetrics'> {
  return {
    async getMetrics({ reply }) {
      const { type, text } = await metrics();
      return reply.type(type).send(text);
    },
  };
}
