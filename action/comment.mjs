// Writes the table of a hub to the comment of this action on the pull request: edits the comment, or adds the first one.
// Its environment has the token, because the list of processes shows arguments.
import { readFileSync } from 'node:fs';

const {
  SVC_GITHUB_TOKEN: token,
  SVC_PULL_REQUEST: number,
  SVC_HEAD: head,
  SVC_ROUND: round,
  GITHUB_WORKFLOW: workflow,
  GITHUB_JOB: job,
  GITHUB_REPOSITORY: repository,
  GITHUB_API_URL: api = 'https://api.github.com',
  GITHUB_GRAPHQL_URL: graphql = `${api}/graphql`,
} = process.env;
/** GitHub shows no comment of HTML. The names cannot contain its end. */
const MARKER = `<!-- svc hub check ${[workflow, job, round].map((name = '') => encodeURIComponent(name)).join(' ')} -->`;
/** A comment of GitHub has at most 65,536 characters. */
const MOST = 65_000;
const QUERY = `query ($owner: String!, $name: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { comments(last: 100, before: $before) {
    nodes { id body viewerDidAuthor } pageInfo { hasPreviousPage startCursor }
  } } }
}`;
const EDIT = `mutation ($input: UpdateIssueCommentInput!) {
  updateIssueComment(input: $input) { issueComment { id } }
}`;

async function send(url, body) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`POST ${url} answers status ${response.status}`);
  return response.json();
}

/** GitHub answers status 200 to a query that fails. */
async function query(text, variables) {
  const { data, errors } = await send(graphql, { query: text, variables });
  if (errors?.length > 0) throw new Error(errors[0].message);
  return data;
}

/** A token that may comment may also edit the comments of others, so only an own comment counts. */
async function findOwn(before = null) {
  const [owner, name] = repository.split('/');
  const { repository: found } = await query(QUERY, { owner, name, number: Number(number), before });
  const { nodes, pageInfo } = found.pullRequest.comments;
  const own = nodes.findLast(({ body, viewerDidAuthor }) => viewerDidAuthor && body.startsWith(MARKER));
  return own === undefined && pageInfo.hasPreviousPage ? findOwn(pageInfo.startCursor) : own;
}

try {
  const table = readFileSync(process.argv[2], 'utf8');
  const isWhole = table.length <= MOST;
  const shown = isWhole
    ? table
    : `${table.slice(0, table.lastIndexOf('\n', MOST))}\n\nThe rows above are not all: the job summary has the whole table.`;
  const own = await findOwn();
  const body = `${MARKER}\nChecked at commit ${head}\n\n${shown}`;
  if (own === undefined) await send(`${api}/repos/${repository}/issues/${number}/comments`, { body });
  else await query(EDIT, { input: { id: own.id, body } });
  process.exitCode = isWhole ? 0 : 1;
} catch (error) {
  console.log(`No comment: ${error.message}`);
  process.exitCode = 1;
}
