"""The same settings for both servers: as arguments of `llama-server` and as parameters of the wheel.

Change the two together.
"""

from typing import TYPE_CHECKING

from .settings import Settings

if TYPE_CHECKING:
    import xllamacpp

# The api requests this name, whichever model file is loaded.
ALIAS = "local"
# A prompt can be cancelled only between batches.
BATCH_TOKENS = 512
# Maximum length of a reply; no spoken answer comes near it.
REPLY_TOKENS = 1024
# Saved prompts in memory: several conversations stay warm, and a small home server keeps its memory.
CACHE_RAM_MIB = 512


def server_command(program: str, settings: Settings) -> list[str]:
    command = [program, "-m", str(settings.model), "--alias", ALIAS]
    command += ["--host", settings.listens_on, "--port", str(settings.port)]
    command += ["-c", str(settings.context_tokens), "-np", str(settings.slots), "-b", str(BATCH_TOKENS)]
    command += ["-n", str(REPLY_TOKENS), "-t", str(settings.threads), "--cache-ram", str(CACHE_RAM_MIB)]
    command += ["--jinja", "--reasoning", "off", "--metrics", "--slots", "--no-ui", "--cors-origins", "localhost"]
    return command if settings.gpu_layers is None else [*command, "-ngl", str(settings.gpu_layers)]


def wheel_parameters(settings: Settings) -> "xllamacpp.CommonParams":
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(settings.model)
    parameters.model_alias = [ALIAS]
    parameters.hostnames = [settings.listens_on]
    parameters.port = settings.port
    parameters.n_ctx = settings.context_tokens
    parameters.n_parallel = settings.slots
    # Same as `-np N`: splitting the window keeps one conversation from pushing another out.
    parameters.kv_unified = False
    parameters.n_batch = BATCH_TOKENS
    parameters.n_predict = REPLY_TOKENS
    parameters.cpuparams.n_threads = settings.threads
    parameters.cpuparams_batch.n_threads = settings.threads
    parameters.cache_ram_mib = CACHE_RAM_MIB
    parameters.use_jinja = True
    parameters.enable_reasoning = 0
    parameters.default_template_kwargs = {"enable_thinking": "false"}
    parameters.endpoint_metrics = True
    parameters.endpoint_slots = True
    parameters.ui = False
    parameters.cors_origins = "localhost"
    if settings.gpu_layers is not None:
        parameters.n_gpu_layers = settings.gpu_layers
    return parameters
