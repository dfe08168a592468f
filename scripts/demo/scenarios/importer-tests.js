import {qwen} from './tools.js'

/** @import {Scenario} from '../record.js' */

const {read, run, edit, plan} = qwen

const STEPS = ['Read the importer and its test', 'Write tests for odd files', 'Fix what they find']

const TESTS = `
  test('reads files with line ends of Windows', async () => {
    const rows = await importText('id,amount\\r\\npay_1,1250\\r\\n')
    assert.deepEqual(rows, [{id: 'pay_1', amount: '1250'}])
  })

  test('reads a file without payments', async () => {
    assert.deepEqual(await importText('id,amount\\n'), [])
  })
})

async function importText(text) {
  const path = join(mkdtempSync(join(tmpdir(), 'importer-')), 'payments.csv')
  writeFileSync(path, text)
  const rows = []
  await importPayments(path, {add: (row) => rows.push(row)})
  return rows
}
`

/** Qwen writes tests, and one of them finds a bug. @type {Scenario} */
export const importerTests = {
  name: 'importer-tests',
  agent: 'qwen',
  project: 'etl',
  prompt: 'Test the importer with odd CSV files',
  script: (cwd) => {
    const importer = `${cwd}/src/importer.js`
    const tests = `${cwd}/test/importer.test.js`
    return {
      main: [
        {
          text: 'I look at what is tested so far.',
          tools: [plan(STEPS, 0), read(importer), read(tests)],
        },
        {
          thinking:
            'Only one good file is tested. Line ends of Windows and a file with a head alone are the usual suspects.',
          tools: [
            plan(STEPS, 1),
            edit(
              tests,
              "import {describe, test} from 'node:test'\n",
              "import {mkdtempSync, writeFileSync} from 'node:fs'\nimport {tmpdir} from 'node:os'\nimport {join} from 'node:path'\nimport {describe, test} from 'node:test'\n",
            ),
            edit(tests, "currency: 'USD'})\n  })\n})\n", `currency: 'USD'})\n  })\n${TESTS}`),
          ],
        },
        {tools: [run('npm test --silent', 'Run the tests')]},
        {
          text: 'With line ends of Windows the last value keeps a `\\r`. The importer should split at both kinds.',
          tools: [plan(STEPS, 2), edit(importer, ".split('\\n')", '.split(/\\r?\\n/)')],
        },
        {tools: [run('npm test --silent', 'Run the tests'), plan(STEPS, 3)]},
        {
          text: 'Two tests more, and one bug less: files from Windows left a `\\r` in the last column. All 3 tests pass.',
        },
      ],
    }
  },
}
