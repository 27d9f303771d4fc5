/** Maximum number of changes that the page shows. */
const maxChanges = 40;

interface VersionChanges {
  /** As in the file: "0.1.0, not released yet". */
  version: string;
  changes: string[];
}

/** The newest changes of a CHANGELOG.md as plain text, by version. */
export function newestChanges(markdown: string): VersionChanges[] {
  let left = maxChanges;
  return markdown
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [version = '', ...lines] = section.split('\n');
      const changes = lines
        .join('\n')
        .split(/^- /m)
        .slice(1, left + 1)
        .map(plain);
      left -= changes.length;
      return changes.length === 0 ? [] : [{ version: version.trim(), changes }];
    });
}

/** One line without Markdown syntax. */
function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*|`/g, '')
    .trim();
}
