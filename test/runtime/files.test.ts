import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { directoryFiles } from '../../src/node/hostFiles.ts'
import { withDeviceFiles } from '../../src/runtime/host/deviceFiles.ts'
import { memoryFiles, normalizePath } from '../../src/runtime/host/files.ts'
import { withTemporaryFiles } from '../../src/runtime/host/temporaryFiles.ts'

test('paths cannot leave the folder', () => {
  expect(normalizePath('a/./b/../c')).toBe('a/c')
  expect(normalizePath('..')).toBeUndefined()
  expect(normalizePath('a/../../etc/passwd')).toBeUndefined()
})

test('paths outside the folder are absolute where it lies somewhere', () => {
  expect(normalizePath('a/./b', '/home/me')).toBe('a/b')
  expect(normalizePath('../data/x', '/home/me')).toBe('/home/data/x')
  expect(normalizePath('/home/me/./x', '/home/me')).toBe('/home/me/x')
  expect(normalizePath('/../../etc', '/home/me')).toBe('/etc')
})

test('files in memory', () => {
  const content = new Map([['data/in.txt', new TextEncoder().encode('hello')]])
  const files = memoryFiles(content)
  const read = { write: false, create: false, exclusive: false, truncate: false }
  expect(files.open('nothing', read)).toBe('not-found')
  expect(files.open('data', read)).toBe('is-a-directory')
  expect(files.list('')).toEqual([{ name: 'data', kind: 'directory' }])
  const file = files.open('data/out.txt', { ...read, write: true, create: true })
  if (typeof file === 'string') throw new Error(file)
  expect(file.write(2, new TextEncoder().encode('abc'))).toBe(3)
  expect([...content.get('data/out.txt')!]).toEqual([0, 0, 97, 98, 99])
  expect(files.rename('data/out.txt', 'data/new.txt')).toBeUndefined()
  expect(files.removeDirectory('data')).toBe('not-found')
  expect(files.removeFile('data/new.txt')).toBeUndefined()
  expect(files.status('data/new.txt')).toBe('not-found')
})

test('what lies outside the folder is not changed, which is told once; folders that are there are said to be', () => {
  const folder = mkdtempSync(join(tmpdir(), 'warplens-files-'))
  const refused: string[] = []
  const files = directoryFiles(folder, { onRefused: (path, access) => refused.push(`${access} ${path}`) })
  const outside = join(dirname(folder), `${basename(folder)}-outside`)
  expect(files.makeDirectory(dirname(folder))).toBe('exists')
  expect(files.makeDirectory('/')).toBe('exists')
  expect(files.makeDirectory(join(folder, 'a'))).toBeUndefined()
  expect(files.makeDirectory('a')).toBe('exists')
  expect(refused).toEqual([])
  expect(files.makeDirectory(outside)).toBe('not-allowed')
  expect(files.makeDirectory(outside)).toBe('not-allowed')
  expect(files.rename('a', `${outside}2`)).toBe('not-allowed')
  expect(refused).toEqual([`change ${outside}`, `change ${outside}2`])
  rmSync(folder, { recursive: true })
})

test('devices stand in front of the files', () => {
  let next = 0
  const files = withDeviceFiles(memoryFiles(new Map([['a', new Uint8Array(3)]])), () => ++next)
  const read = { write: false, create: false, exclusive: false, truncate: false }
  const bytesOf = (path: string) => {
    const file = files.open(path, read)
    if (typeof file === 'string') throw new Error(file)
    const bytes = new Uint8Array(4).fill(9)
    return [file.read(0, bytes), ...bytes]
  }
  expect(bytesOf('/dev/urandom')).toEqual([4, 1, 2, 3, 4])
  expect(bytesOf('/dev/random')).toEqual([4, 5, 6, 7, 8])
  expect(bytesOf('/dev/zero')).toEqual([4, 0, 0, 0, 0])
  expect(files.status('/dev/zero')).toMatchObject({ kind: 'file' })
  expect(files.status('a')).toMatchObject({ bytes: 3 })
  expect(files.open('/dev/tty', read)).toBe('not-found')
})

test('the processor has a clock rate, that of the time stamps', () => {
  const { read } = expectOpened('/proc/cpuinfo')
  const bytes = new Uint8Array(1000)
  const text = new TextDecoder().decode(bytes.subarray(0, read(0, bytes)))
  expect(/^cpu MHz\s*: ([\d.]+)$/m.exec(text)?.[1]).toBe('1000.000')
  expect(text.match(/^processor/gm)).toHaveLength(1)
  expect(read(text.length, bytes)).toBe(0)
})

function expectOpened(path: string) {
  const options = { write: false, create: false, exclusive: false, truncate: false }
  const file = withDeviceFiles(memoryFiles(), () => 0).open(path, options)
  if (typeof file === 'string') throw new Error(file)
  return file
}

test("/tmp is the program's own: what the user has there is the user's", () => {
  const write = { write: true, create: true, exclusive: false, truncate: true }
  const read = { write: false, create: false, exclusive: false, truncate: false }
  const users = memoryFiles(new Map([['/tmp/data.txt', new Uint8Array(3)]]))
  const files = withTemporaryFiles({ ...users, workingDirectory: '/home/user' })
  expect(files.status('/tmp')).toMatchObject({ kind: 'directory' })
  expect(files.status('/tmp/data.txt')).toMatchObject({ bytes: 3 })
  expect(files.open('/tmp/own.txt', write)).toHaveProperty('write')
  expect(files.status('/tmp/own.txt')).toMatchObject({ bytes: 0 })
  expect(users.status('/tmp/own.txt')).toBe('not-found')
  expect(files.makeDirectory('/tmp/folder')).toBeUndefined()
  expect(files.open('/tmp/folder/a', write)).toHaveProperty('write')
  expect(files.list('/tmp')).toHaveLength(2)
  expect(files.rename('/tmp/folder/a', '/tmp/b')).toBeUndefined()
  expect(files.rename('/tmp/b', 'b')).toBe('not-allowed')
  expect(files.left()).toEqual(['/tmp/b', '/tmp/own.txt'])
  expect(files.removeFile('/tmp/b')).toBeUndefined()
  expect(files.open('/tmp/b', read)).toBe('not-found')
  expect(files.open('/tmp/absent/c', write)).toBe('not-found')
})
