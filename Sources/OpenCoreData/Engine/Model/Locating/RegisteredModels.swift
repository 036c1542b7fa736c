import Foundation
import OpenCocoaFoundation
import Synchronization

/// Registers a model that was built with a module; generated code calls it before `main`.
///
/// A program that does not run beside its resources, such as a copied executable or one that another program has
/// loaded, finds the model at this path as long as the build exists. Among the bundles of several programs that were
/// built into one folder, a program finds its own by the module.
/// - Parameters:
///   - path: the model's path on the machine that built the module.
///   - module: the module's name, with which the name of its bundle ends.
public func _registerModel(_ path: StaticString, module: StaticString) {
  RegisteredModels.add(path.description, module: module.description)
}

/// The models that generated code has registered. They are needed because Linux does not list the bundles that are
/// loaded.
package enum RegisteredModels {
  private static let models = Mutex<[(path: String, module: String?)]>([])

  package static func add(_ path: String, module: String? = nil) { models.withLock { $0.append((path, module)) } }

  /// The registered models whose files exist, in the order of their registration.
  static var urls: [URL] {
    readModuleRegistrations()
    return models.withLock { $0 }.map(\.path).filter(FileManager.default.fileExists).map { URL(fileURLWithPath: $0) }
  }

  /// The names of the registered models, whether or not their files exist, each with the modules that have such a model.
  static var modules: [String: Set<String>] {
    readModuleRegistrations()
    return models.withLock { $0 }.reduce(into: [:]) { result, model in
      guard let module = model.module else { return }
      result[URL(fileURLWithPath: model.path).modelName, default: []].insert(module)
    }
  }
}
