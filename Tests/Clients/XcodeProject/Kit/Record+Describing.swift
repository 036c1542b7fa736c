import CoreData.CoreDataDefines
import CoreData

extension Record {

    /// Overridden in another module.
    @objc open func summary() -> String {
        return entity.name ?? "-"
    }

}
