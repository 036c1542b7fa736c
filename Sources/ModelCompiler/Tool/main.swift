import Foundation
import ModelCompilerCore

// The plugin's tool. It has no command-line library, because every build of every client compiles it first.

/// Reads the Swift files of a folder and those below it.
func sources(in folder: String) -> [ParsedFile] {
  let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
  return names.filter { $0.hasSuffix(".swift") }.sorted().compactMap { parse(folder + "/" + $0) }
}

func parse(_ path: String) -> ParsedFile? {
  guard let data = FileManager.default.contents(atPath: path) else { return nil }
  return Parser.parse(String(decoding: data, as: UTF8.self), path: path)
}

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("error: \(message)\n".utf8))
  exit(1)
}

let usage =
  "usage: ModelCompiler accessors --module <name> --output <file> [--dependency <name> <folder>]... <source>..."
var arguments = CommandLine.arguments.dropFirst()
guard arguments.popFirst() == "accessors" else { fail(usage) }
var module: String?
var output: String?
var dependencies: [(name: String, load: () -> [ParsedFile])] = []
var files: [ParsedFile] = []
while let argument = arguments.popFirst() {
  switch argument {
  case "--module": module = arguments.popFirst()
  case "--output": output = arguments.popFirst()
  case "--dependency":
    guard let name = arguments.popFirst(), let folder = arguments.popFirst() else { fail(usage) }
    dependencies.append((name, { sources(in: folder) }))
  default:
    guard let file = parse(argument) else { fail("cannot read \(argument)") }
    files.append(file)
  }
}
guard let module, let output else { fail(usage) }

let text = Generator.generate(module: module, files: files, dependencies: dependencies)
// A file that is written anew is compiled anew.
if FileManager.default.contents(atPath: output) != Data(text.utf8) {
  do {
    try Data(text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
  } catch {
    fail("cannot write \(output): \(error)")
  }
}
