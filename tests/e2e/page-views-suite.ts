import { describe, expect, test, vi } from 'vitest';
import { visit } from '../support/servers/browser.ts';
import { ask, call, type Household } from './household.ts';
import { loudest, spokenSoonMs, type Visits } from './page-visits.ts';

/** The views of turns, of the house and of its settings. */
export function pageViewsSuite({ address, browser, see }: Visits, of: () => Household): void {
  describe('the other views', () => {
    test('show the steps of a turn', async () => {
      await see(
        async (page) => {
          await page.getByText('Details: where the time went').click();
          await page.getByRole('heading', { name: 'The last 24 hours' }).waitFor();
          await page.locator('.turn-row').last().click();

          await page.getByRole('heading', { name: 'One turn' }).waitFor();
          await page.getByText(/All of it took/).waitFor();
        },
        { view: 'activity' },
      );
    });

    test('show timers, lists and conversations, and delete them', async () => {
      await ask(of(), 'What colour is snow?', 'to be forgotten');
      await see(
        async (page) => {
          await page.getByText('oat milk').first().waitFor();
          await page.getByText('pasta').first().waitFor();
          await page.getByRole('link', { name: 'Activity' }).click();
          const said = page.locator('.said-list > li').filter({ hasText: 'to be forgotten' });
          await said.getByText('Snow is white.').waitFor();
          await said.getByRole('button', { name: 'Forget' }).click();
          await said.getByRole('button', { name: 'Forget it?' }).click();

          await said.waitFor({ state: 'detached' });
        },
        { view: 'home' },
      );
    });

    test('run the check and show its result in words', async () => {
      await see(
        async (page) => {
          await page.getByRole('button', { name: 'Check everything' }).click();

          await page
            .getByRole('button', { name: 'Check everything' })
            .and(page.locator(':enabled'))
            .waitFor({ timeout: 60_000 });
          expect(await page.locator('.steps li').count()).toBeGreaterThan(3);
          expect(await page.locator('section[aria-labelledby=check] [role=status]').textContent()).not.toBe(
            '',
          );
        },
        { view: 'settings/health' },
      );
    });

    test('show new log lines', async () => {
      const chatterbox = `chatterbox-${Date.now()}`;
      await see(
        async (page) => {
          await page.getByLabel('Containing').fill(chatterbox);
          await page.getByText('No lines.').waitFor();
          const other = await visit(browser(), { address: address(), name: chatterbox });

          await page.locator('.lines').getByText('satellite connected').first().waitFor(spokenSoonMs);
          await other.close();
        },
        { view: 'settings/health' },
      );
    });

    test('change a setting, and restore it', async () => {
      await see(
        async (page) => {
          await page.getByLabel('Speed', { exact: true }).fill('1.2');
          await page.getByRole('button', { name: 'Save' }).click();
          await page.getByText('It applies from the next question.').waitFor();
          expect(await settingOf(of(), 'speed')).toBe(1.2);
          await page.getByRole('button', { name: 'Hear it', exact: true }).click();
          await vi.waitFor(async () => expect(await loudest(page)).toBeGreaterThan(0.05), spokenSoonMs);

          await page.getByRole('button', { name: 'Back to the default of Speed' }).click();
          await vi.waitFor(async () => expect(await settingOf(of(), 'speed')).toBe(1), spokenSoonMs);
        },
        { view: 'settings' },
      );
    });

    test('show beside the field why a setting is refused', async () => {
      await see(
        async (page) => {
          await page.getByLabel('Silence that ends a sentence').fill('9');
          await page.getByText('At least 200.').waitFor();
          await page.getByRole('button', { name: 'Discard' }).click();
          await page.getByLabel('MCP servers').fill('[{"name": "x"}]');
          await page.getByRole('button', { name: 'Save' }).click();

          await page.getByText('Nothing was saved. One setting was refused.').waitFor();
          expect(await page.locator('#why-mcp_servers').textContent()).not.toBe('');
          expect(await settingOf(of(), 'mcp_servers')).toEqual([]);
        },
        { view: 'settings/advanced' },
      );
    });
  });
}

async function settingOf(household: Household, key: string): Promise<unknown> {
  const { body } = await call(household, { path: '/admin/pipeline' });
  const values: unknown = typeof body === 'object' && body !== null && 'values' in body ? body.values : {};
  return Object.entries(values ?? {}).find(([name]) => name === key)?.[1];
}
