import Foundation
import Synchronization

/// Registers a model that was built with a module; generated code calls it before `main`.
///
/// A program that does not run beside its resources, such as a copied executable or one that another program has
/// loaded, finds the model at this path as long as the build exists.
/// - Parameter path: The model's path on the machine that built the module.
public func _registerModel(_ path: StaticString) {
  RegisteredModels.add(path.description)
}

/// The models that generated code has registered. They are needed because Linux does not list the bundles that are
/// loaded.
package enum RegisteredModels {
  private static let paths = Mutex<[String]>([])

  package static func add(_ path: String) { paths.withLock { $0.append(path) } }

  /// The registered models whose files exist, in the order of their registration.
  static var urls: [URL] {
    paths.withLock { $0 }.filter(FileManager.default.fileExists).map { URL(fileURLWithPath: $0) }
  }
}
