import CoreData

/// A place that makes its canonical text when it is saved.
class SelfKeptPlace: NSManagedObject {
  override func willSave() {
    super.willSave()
    // A setter marks the object again and has this called again: only where the text differs.
    let canonical = place?.canonical
    if !isDeleted, canonicalPlace != canonical { canonicalPlace = canonical }
  }
}
