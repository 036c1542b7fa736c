import Foundation
import ModelCompilerCore

// The plugins' tool. It has no command-line library, because every build of every client compiles it first.

var arguments = Arguments(CommandLine.arguments.dropFirst())
do {
  switch arguments.next() {
  case "accessors": try AccessorsCommand(&arguments).run()
  case "mapping": try MappingCommand(&arguments).run()
  case "model": try ModelCommand(&arguments).run()
  case "rewrite": try RewriteCommand(&arguments).run()
  default: throw UsageError()
  }
} catch let problems as SourceProblems {
  // The problems are printed in the format of compilers, so that editors and build logs find the places.
  for problem in problems.list { FileHandle.standardError.write(Data("\(problem)\n".utf8)) }
  exit(1)
} catch {
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(1)
}
