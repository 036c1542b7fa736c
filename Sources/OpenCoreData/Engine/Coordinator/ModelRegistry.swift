import Foundation
import Synchronization

/// The models that the process works with, so that a class can find its entity.
enum ModelRegistry {
  private struct WeakModel { weak var model: NSManagedObjectModel? }
  private static let models = Mutex<[WeakModel]>([])

  /// Notes a model that a coordinator uses; the latest model comes first.
  static func use(_ model: NSManagedObjectModel) {
    models.withLock { models in
      models.removeAll { $0.model == nil || $0.model === model }
      models.insert(WeakModel(model: model), at: 0)
    }
  }

  /// The models that are in use, the latest first.
  static var all: [NSManagedObjectModel] { models.withLock { $0.compactMap(\.model) } }

  /// The one entity whose class is `type`, in the most recently used model that has it.
  static func entity(for type: NSManagedObject.Type) -> NSEntityDescription? {
    for model in all {
      if let entity = entity(for: type, in: model) { return entity }
    }
    return nil
  }

  /// The entity of `model` whose class is `type`: of several that inherit the class, the topmost.
  static func entity(for type: NSManagedObject.Type, in model: NSManagedObjectModel) -> NSEntityDescription? {
    model.prepare()
    if type == NSManagedObject.self { return nil }
    return model.entity(ofClass: type)
  }
}
