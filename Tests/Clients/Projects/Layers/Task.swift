//
//  Task.swift
//  Layers
//

public import CoreData

@objc(Task)
public class Task: NSManagedObject {

    @NSManaged public var title: String?

    public class func all() -> NSFetchRequest<any NSFetchRequestResult> {
        return NSFetchRequest(entityName: "Task")
    }

}
