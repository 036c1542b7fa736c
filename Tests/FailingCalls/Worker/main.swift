import Foundation

// Runs operations on stores while system calls fail: `FailingCallsWorker FOLDER`, with FailingCalls.c preloaded.
//
// It reads orders from the standard input. It answers each order with lines, the last of which begins with "done":
//   names                                 the names of the operations
//   counts OPERATION                      the number of calls of each kind that it makes, as KIND=COUNT
//   modes                                 the ways in which each kind can fail, as KIND=MODE,MODE
//   killing-modes                         the same of the ways in which the process ends
//   case OPERATION KIND NUMBER MODE       the outcome of the case; lines before it that begin with "problem" tell the problems
//
// `FailingCallsWorker FOLDER CASE OPERATION KIND NUMBER` runs the operation in the folder CASE and is killed at that call.

func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

func answer(_ words: [String], _ cases: FaultCases) throws -> String {
  switch words.first {
  case "names": return cases.names.joined(separator: " ")
  case "modes":
    return CallKind.allCases.map { "\($0)=\($0.modes.map(\.name).joined(separator: ","))" }.joined(separator: " ")
  case "killing-modes":
    return CallKind.allCases.map { "\($0)=\($0.killingModes.map(\.name).joined(separator: ","))" }
      .joined(separator: " ")
  case "counts" where words.count == 2:
    let counts = try cases.counts(of: words[1])
    return CallKind.allCases.map { "\($0)=\(counts[$0.rawValue])" }.joined(separator: " ")
  case "case" where words.count == 5:
    guard let kind = CallKind(name: words[2]), let number = Int(words[3]),
      let mode = (kind.modes + kind.killingModes).first(where: { $0.name == words[4] })
    else { return "unknown" }
    let fault = Fault(kind: kind, number: number, mode: mode)
    let (outcome, problems) = try mode.kills ? cases.runKilled(words[1], fault) : cases.run(words[1], fault)
    for problem in problems { say("problem " + problem.replacingOccurrences(of: "\n", with: "\u{2028}")) }
    return outcome.replacingOccurrences(of: "\n", with: " ")
  default: return "unknown"
  }
}

let base = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? "/tmp").resolvingSymlinksInPath()
let watched = base.appendingPathComponent("watched"), temporary = watched.appendingPathComponent("tmp")
try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
for name in ["TMPDIR", "SQLITE_TMPDIR"] { setenv(name, temporary.path, 1) }
guard let shim = Shim(watching: watched, report: base.appendingPathComponent("report")) else {
  say("done the library is not preloaded")
  exit(2)
}
let kinds: [StoreKind] = [.wal, .delete], files: [StoreKind] = [.xml, .binary], all = kinds + files
var operations: [Operation] = []
operations += all.map(FileOperations.open) + all.map { SaveOperation($0) }
operations += kinds.flatMap { kind in BatchOperation.Request.allCases.map { BatchOperation($0, kind) } }
operations += all.map(Migrations.lightweight) + all.map(Migrations.mapped) + all.map(Migrations.manager)
operations += kinds.map(Migrations.staged) + kinds.map(FileOperations.backUp)
operations += all.flatMap { [FileOperations.replace($0, over: false), FileOperations.replace($0, over: true)] }
operations += all.map(FileOperations.destroy) + kinds.map(FileOperations.startAgain)
operations += [
  FileOperations.move(.wal, to: .wal), FileOperations.move(.delete, to: .delete), FileOperations.move(.wal, to: .xml),
  FileOperations.move(.wal, to: .binary), FileOperations.move(.xml, to: .wal),
]
operations += ToolOperation.all
let cases = FaultCases(in: watched, shim, operations)
if CommandLine.arguments.count == 6 {
  let words = CommandLine.arguments.dropFirst(2).map(\.self)
  guard let kind = CallKind(name: words[2]), let number = Int(words[3]) else { exit(2) }
  let fault = Fault(kind: kind, number: number, mode: .killing)
  do { try cases.runUntilKilled(words[1], in: URL(fileURLWithPath: words[0]), fault) } catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
  }
  exit(0)
}
while let line = readLine() {
  do {
    say("done \(try answer(line.split(separator: " ").map(String.init), cases))")
  } catch {
    say("problem the case cannot be run: \("\(error)".replacingOccurrences(of: "\n", with: "\u{2028}"))")
    say("done failed")
  }
}
