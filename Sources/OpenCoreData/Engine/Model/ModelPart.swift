import OpenCocoaFoundation

/// A part of a model, which becomes immutable when a coordinator first uses the model.
protocol ModelPart: AnyObject {
  /// True once the model is in use. Written once, under the lock of the model that owns the part.
  var isFrozen: Bool { get }
}

extension ModelPart {
  /// Stops the program when the model is in use: every setter calls it first.
  func willModify() {
    if isFrozen { raise(.internalInconsistency, "Can't modify an immutable model.") }
  }
}
