package io.github.rustbridge.spring;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/** Registers a bean for each listed client, and one for its plugin. */
class ClientRegistrar implements ImportBeanDefinitionRegistrar {
  @Override
  public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry beans) {
    MergedAnnotation<ImportRustbridgeClients> annotation =
        importing.getAnnotations().get(ImportRustbridgeClients.class);
    for (Class<?> client : annotation.getClassArray("value")) {
      String name = ClassUtils.getShortNameAsProperty(client);
      RootBeanDefinition plugin = new RootBeanDefinition(PluginFactoryBean.class);
      plugin.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
      plugin.getConstructorArgumentValues().addIndexedArgumentValue(1, client);
      beans.registerBeanDefinition(name + "Plugin", plugin);
      RootBeanDefinition bean = new RootBeanDefinition(ClientFactoryBean.class);
      bean.getConstructorArgumentValues()
          .addIndexedArgumentValue(0, PluginFactoryBean.prefix(name));
      bean.getConstructorArgumentValues().addIndexedArgumentValue(1, client);
      bean.getConstructorArgumentValues()
          .addIndexedArgumentValue(2, new RuntimeBeanReference(name + "Plugin"));
      // Spring asks what a bean is before it makes it.
      bean.setAttribute(FactoryBean.OBJECT_TYPE_ATTRIBUTE, client);
      beans.registerBeanDefinition(name, bean);
    }
  }
}
