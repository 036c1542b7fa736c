import Foundation
import Synchronization

/// The folder of containers whose descriptions say nothing else: named after the executable, in `$XDG_DATA_HOME` or `~/.local/share`.
enum DefaultStoreFolder {
  /// What the folder follows from, and the folder.
  private struct Known {
    let dataHome: String?
    let home: String?
    let url: URL
  }

  private static let known = Mutex<Known?>(nil)

  /// The folder, which need not exist. Foundation reads the whole environment to answer, which takes longer than the rest of a
  /// container's making; here it is asked again only when one of the two variables has changed.
  static var url: URL {
    let (dataHome, home) = (variable("XDG_DATA_HOME"), variable("HOME"))
    return known.withLock { known in
      if let known, known.dataHome == dataHome, known.home == home { return known.url }
      let url = found()
      known = Known(dataHome: dataHome, home: home, url: url)
      return url
    }
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func found() -> URL {
    let base =
      FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".local/share")
    return base.appendingPathComponent(Bundle.main.executableURL?.lastPathComponent ?? "CoreData")
  }
}
