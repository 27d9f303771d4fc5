import { z } from 'zod';
import { chatEvents, wordsOf } from './chat-events.ts';

const rules = `### Task:
Answer the user query from the context below, with citations in the form [id].

### Guidelines:
- Say so where the context does not tell.

### Output:
A clear and direct answer to the user's query.`;

/**
 * How versions of Open WebUI combine documents with a question. The query comes after them with a tag, after
 * them without one, or before them.
 */
export const documentForms = {
  tagged: (context: string, query: string) =>
    `${rules}\n\n${context}\n\n<user_query>\n${query}\n</user_query>\n`,
  behind: (context: string, query: string) => `${rules}\n\n${context}\n\n${query}`,
  before: (context: string, query: string) => `${query}\n${rules}\n\n${context}\n`,
};

/** A question about a document, as Open WebUI sends it. */
export function withDocument(form: keyof typeof documentForms, document: string, query: string): string {
  const context = `<context>\n<source id="1" name="document.txt">${document}</source>\n</context>`;
  return documentForms[form](context, query);
}

interface Served {
  baseUrl: string;
  apiKey: string;
}

interface Message {
  role: string;
  content: string;
}

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
const completionSchema = z.object({
  choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })]),
});

const persona = 'You are a pirate. User name: Anna. Always answer in rhyme.';

/** Beginnings of the tasks that Open WebUI sends after an answer, with the chat inside. */
const tasks = [
  '### Task:\nSuggest 3-5 relevant follow-up questions or prompts that the user might naturally ask next in this conversation as a **user**.',
  '### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.',
  '### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history, along with 1-3 more specific subtopic tags.',
];

/**
 * Replays the requests of an Open WebUI that forwards its headers. First comes the list of models, then a
 * streamed chat with a system prompt and the whole history. In the chat's name, unstreamed requests for
 * follow-ups, a title and tags follow; then the chat continues.
 */
export async function replayOpenWebUi({ baseUrl, apiKey }: Served) {
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${apiKey}`,
    'X-OpenWebUI-User-Name': 'Anna',
    'X-OpenWebUI-User-Id': 'b7f0c1de-5f5c-4a7e-9a52-2f2bb3a3f7f1',
    'X-OpenWebUI-User-Email': 'anna@example.org',
    'X-OpenWebUI-User-Role': 'admin',
    'X-OpenWebUI-Chat-Id': crypto.randomUUID(),
  };
  const post = async (body: object): Promise<Response> => {
    const answer = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`Open WebUI was answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };

  const history: Message[] = [{ role: 'system', content: persona }];
  const chat = async (content: string): Promise<string> => {
    history.push({ role: 'user', content });
    const answer = await post({
      stream: true,
      model: 'assistant',
      messages: history,
      stream_options: { include_usage: true },
      temperature: 0.7,
    });
    const words = wordsOf(chatEvents(await answer.text()));
    history.push({ role: 'assistant', content: words });
    return words;
  };
  const task = async (beginning: string): Promise<string> => {
    const said = history.slice(-4).map(({ role, content }) => `${role.toUpperCase()}: ${content}`);
    const content = `${beginning}\n### Chat History:\n<chat_history>\n${said.join('\n')}\n</chat_history>`;
    const answer = await post({
      model: 'assistant',
      messages: [{ role: 'user', content }],
      stream: false,
      max_completion_tokens: 1_000,
    });
    const { choices } = completionSchema.parse(await answer.json());
    return choices[0].message.content;
  };

  const models = modelsSchema.parse(await (await fetch(`${baseUrl}/models`, { headers })).json());
  const replies = [await chat('My name is Anna.'), await chat('What is my name?')];
  const done: string[] = [];
  for (const beginning of tasks) done.push(await task(beginning));
  return {
    models: models.data.map(({ id }) => id),
    replies,
    tasks: done,
    afterTasks: await chat('Do you know my name?'),
  };
}
