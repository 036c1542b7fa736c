import Foundation
import Synchronization

/// The folder of the section caches: a folder named after the program, in the user's folder for caches.
enum SectionCacheFolder {
  private static let deleted = Mutex<(all: Int, byName: [String: Int])>((0, [:]))

  static var url: URL {
    let base =
      FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
      ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".cache")
    let program = Bundle.main.executableURL?.lastPathComponent ?? "CoreData"
    return base.appendingPathComponent(program).appendingPathComponent(".CoreDataCaches/SectionInfoCaches")
  }

  /// Returns the file of a cache. The name of the cache may have any character, for example a slash.
  static func file(_ name: String) -> URL {
    let safe = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    // File systems have a limit of 255 bytes.
    let short = safe.utf8.count <= 200 ? safe : "\(safe.prefix(160))-\(String(checksum(name), radix: 16))"
    return url.appendingPathComponent("\(short).json")
  }

  /// FNV-1a.
  private static func checksum(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// The number of times that a cache was deleted. A controller may change its request only if this number has changed
  /// since its last fetch; otherwise the program stops.
  static func deletions(of name: String) -> Int { deleted.withLock { $0.all + ($0.byName[name] ?? 0) } }

  /// Deletes one cache or, for nil, all caches of the program.
  static func delete(_ name: String?) {
    deleted.withLock { deleted in
      if let name { deleted.byName[name, default: 0] += 1 } else { deleted.all += 1 }
    }
    try? FileManager.default.removeItem(at: name.map(file) ?? url)
  }
}
