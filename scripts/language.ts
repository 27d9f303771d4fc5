import {
  abilitiesIn,
  communityData,
  communityTags,
  missingIntents,
  missingResponses,
} from './community-docs.ts';

// `make language L=pl`: prints what works and what is missing in a language of the community.
const tag = process.argv[2] ?? '';
if (!communityTags.includes(tag)) {
  console.error(`L must be one of ${communityTags.join(', ')}, but is "${tag}".`);
  process.exit(1);
}
const data = communityData(tag);
const none = (names: readonly string[]) => names.join(', ') || 'none';
for (const [ability, parts] of Object.entries(abilitiesIn(data))) console.log(`${ability}: ${parts}`);
console.log(`intents without sentences: ${none(missingIntents(data))}`);
console.log(`responses that say nothing, so that Hearth says "done": ${none(missingResponses(data))}`);
