import CoreData
import Foundation
import FuzzSupport
import Testing

@Suite struct ScratchScriptTests {
  @Test func scratchScripts() throws {
    guard let folder = ProcessInfo.processInfo.environment["SCRIPTS"] else { return }
    let reduce = ProcessInfo.processInfo.environment["REDUCE"] != nil
    for file in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where file.hasSuffix(".txt") {
      let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
      let lines = text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
      for store in [TestStore.sqlite, TestStore.memory] {
        let url = try store.place()
        defer { store.remove(url) }
        let coordinator = try UndoGraph.coordinator(store, url: url)
        let found = try ContextScript.run(lines, coordinator)
        if found.isEmpty {
          print("\(file) \(store.name): PASSED")
          continue
        }
        print("\(file) \(store.name): FAILED \(found.prefix(6))")
        if !reduce { continue }
        let short = try ScriptReduction.minimal(lines) { try !ContextScript.run($0, coordinator).isEmpty }
        let why = try ContextScript.run(short, coordinator)
        print("MINIMAL \(file) \(store.name):\n  \(short.joined(separator: "\n  "))\n  => \(why.prefix(5))")
        break
      }
    }
  }
}
