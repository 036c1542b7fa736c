import Foundation
import Synchronization

/// Registers the resource bundle of a module that has models; generated code calls it before `main`.
///
/// The closure runs when a model is looked for that is not beside the executable.
public func _registerModelBundle(_ bundle: @escaping @Sendable () -> Bundle) {
  ModelBundles.add(bundle)
}

/// The resource bundles that generated code has registered: Linux does not list the bundles that are loaded.
enum ModelBundles {
  private static let pending = Mutex<[@Sendable () -> Bundle]>([])

  static func add(_ bundle: @escaping @Sendable () -> Bundle) { pending.withLock { $0.append(bundle) } }

  /// Where the bundles keep their resources.
  static func folders() -> [URL] {
    pending.withLock { $0 }.compactMap { $0().resourceURL }
  }
}
