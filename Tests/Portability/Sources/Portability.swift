import CoreData
import StoreConformance

/// `Portability archive FILE | write-archive FILE | registration | conformance | stores FOLDER`: each says what it did, and
/// ends with 1 where something is not as it has to be.
@main struct Portability {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let place = URL(fileURLWithPath: arguments.dropFirst().first ?? ".")
    switch arguments.first {
    case "write-archive": try Archives.write(to: place)
    case "archive": try Archives.read(place)
    case "registration": try Registration.check()
    case "conformance": try conformance()
    case "stores": try StoreFiles.write(into: place)
    default: fail("archive FILE, write-archive FILE, registration, conformance or stores FOLDER")
    }
  }

  /// Runs all checks of stores over a new store of each kind.
  static func conformance() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Portability-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var failed = 0
    for type in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType] {
      let subject = StoreSubject(type: type) { folder.appendingPathComponent(UUID().uuidString) }
      let results = StoreConformance.results(on: subject)
      for result in results where result.outcome == nil {
        print("FAILED \(type): \(result.check.name): \(result.failure ?? "")")
        failed += 1
      }
      print("\(type): \(results.count { $0.outcome == .passed }) of \(results.count) checks passed")
      // An empty list would pass as well.
      expect(results.count > 20 && results.contains { $0.outcome == .passed })
    }
    if failed > 0 { fail("\(failed) checks failed") }
  }

  static func expect(_ condition: @autoclosure () throws -> Bool, file: String = #file, line: Int = #line) rethrows {
    if try !condition() { fail("\(file):\(line): not as expected") }
  }

  static func fail(_ text: String) -> Never {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(1)
  }
}
