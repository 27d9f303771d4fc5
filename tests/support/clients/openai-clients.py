"""Tries OpenAI's own Python client with a base URL and a key, and prints the results as one JSON object."""

import asyncio
import json
import sys

import openai

QUESTION = [{"role": "user", "content": "What is the capital of France?"}]


def plain(client: openai.OpenAI) -> dict[str, object]:
    completion = client.chat.completions.create(model="assistant", messages=QUESTION)
    choice = completion.choices[0]
    return {
        "models": [model.id for model in client.models.list()],
        "model": client.models.retrieve("assistant").id,
        "plain": [choice.message.role, choice.message.content, choice.finish_reason],
        "usage": completion.usage is not None and completion.usage.total_tokens > 0,
    }


def streamed(client: openai.OpenAI) -> dict[str, object]:
    chunks = list(
        client.chat.completions.create(
            model="assistant", messages=QUESTION, stream=True, stream_options={"include_usage": True}
        )
    )
    with client.chat.completions.stream(model="assistant", messages=QUESTION) as stream:
        whole = stream.get_final_completion()
    return {
        "stream": "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices),
        "stream_usage": chunks[-1].usage is not None,
        "stream_helper": whole.choices[0].message.content,
    }


async def asynchronous(client: openai.AsyncOpenAI) -> dict[str, object]:
    completion = await client.chat.completions.create(model="assistant", messages=QUESTION)
    stream = await client.chat.completions.create(model="assistant", messages=QUESTION, stream=True)
    words = [chunk.choices[0].delta.content or "" async for chunk in stream]
    return {"async": completion.choices[0].message.content, "async_stream": "".join(words)}


def errors(client: openai.OpenAI) -> dict[str, object]:
    calls = {
        "no_message": lambda: client.chat.completions.create(model="assistant", messages=[]),
        "no_message_stream": lambda: client.chat.completions.create(model="assistant", messages=[], stream=True),
        "no_model": lambda: client.models.retrieve("gpt-4o"),
        "wrong_stream": lambda: client.chat.completions.create(
            model="assistant", messages=QUESTION, extra_body={"stream": "yes"}
        ),
    }
    return {name: failure(call) for name, call in calls.items()}


def failure(call) -> list[object]:
    try:
        call()
    except openai.APIStatusError as error:
        return [type(error).__name__, error.status_code, error.code]
    return ["answered"]


def main() -> None:
    settings = {"base_url": sys.argv[1], "api_key": sys.argv[2], "max_retries": 0}
    client = openai.OpenAI(**settings)
    findings = plain(client) | streamed(client) | asyncio.run(asynchronous(openai.AsyncOpenAI(**settings)))
    print(json.dumps(findings | errors(client)))


main()
