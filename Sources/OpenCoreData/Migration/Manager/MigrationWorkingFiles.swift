import Foundation
import Synchronization

/// The files of running migrations: `.<store>.migrationdestination_<machine>-<process>-<number>.sqlite`, each with the
/// files that belong to it in a `WorkingFolder`, whose lock says that the migration is running. The files of earlier
/// versions of this library are beside the store, and are recognised by their process.
enum MigrationWorkingFiles {
  private static let active = Mutex<[String: WorkingFolder]>([:])

  private static func prefix(_ files: StoreFiles) -> String {
    ".\(URL(fileURLWithPath: files.path).lastPathComponent).migrationdestination_"
  }

  private static func folder(_ files: StoreFiles) -> URL {
    URL(fileURLWithPath: files.path).deletingLastPathComponent()
  }

  /// Returns the place of a new store beside another one, where nothing exists yet.
  static func make(beside files: StoreFiles) throws -> URL {
    let working = try files.workingFolder()
    let number = String(UInt32.random(in: 0 ... .max), radix: 16)
    let name = "\(prefix(files))\(machine)-\(getpid())-\(number)"
    active.withLock { $0[name] = working }
    return URL(fileURLWithPath: working.path).appendingPathComponent(name + ".sqlite")
  }

  static func remove(_ url: URL) {
    let working = active.withLock { $0.removeValue(forKey: url.deletingPathExtension().lastPathComponent) }
    working?.remove()
  }

  /// Removes the files that ended migrations to the same place have left behind.
  static func removeLeftOver(beside files: StoreFiles) {
    let (folder, prefix) = (folder(files), prefix(files))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names {
      // A folder of external values has one more dot in front, and so has the store of a migration within another
      // migration.
      guard let dots = (0...2).first(where: { name.hasPrefix(String(repeating: ".", count: $0) + prefix) }) else {
        continue
      }
      let parts = name.dropFirst(dots + prefix.count).split(whereSeparator: { "-._".contains($0) })
      guard parts.count > 2, parts[0] == machine, let process = pid_t(parts[1]) else { continue }
      // The name of a running migration's store may begin with a dot itself.
      let working = withoutDots("\(prefix)\(parts[0])-\(parts[1])-\(parts[2])")
      let isOver =
        process == getpid()
        ? active.withLock { !$0.keys.contains { withoutDots($0) == working } } : kill(process, 0) != 0 && errno == ESRCH
      if isOver { try? FileManager.default.removeItem(at: folder.appendingPathComponent(name)) }
    }
  }

  private static func withoutDots(_ name: String) -> Substring { name.drop { $0 == "." } }

  /// Distinguishes the machines and containers that share a folder.
  private static let machine: String = {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let hash = name.prefix { $0 != 0 }.reduce(5381 as UInt32) { $0 &* 33 &+ UInt32(UInt8(bitPattern: $1)) }
    return String(hash, radix: 16)
  }()
}
